-- The text of a binary model: from a language server that runs, else from `onnxls show`. The two are the same.

local M = {}

local TIMEOUT_MS = 60000

---@param path string
---@return string? text, string? problem
local function from_server(path)
  local client = vim.lsp.get_clients({ name = 'onnxls' })[1]
  if not client or not client.initialized or client:is_stopped() then
    return nil, nil
  end
  local answer, problem = client:request_sync('onnxls/modelText', { uri = vim.uri_from_fname(path) }, TIMEOUT_MS)
  if not answer then
    return nil, problem
  end
  return answer.result and answer.result.text, answer.err and answer.err.message
end

-- The command that starts the server, without its subcommand.
---@return string[]
local function program()
  local config = vim.lsp.config.onnxls
  local cmd = config and config.cmd
  local words = {}
  for _, word in ipairs(type(cmd) == 'table' and cmd or {}) do
    if word == 'server' then
      return words
    end
    table.insert(words, word)
  end
  return { 'onnxls' }
end

---@param path string
---@return string? text, string? problem
local function from_command(path)
  local command = vim.list_extend(program(), { 'show', '--', path })
  local started, running = pcall(vim.system, command, { text = true })
  if not started then
    return nil, ('%s cannot be started; `pip install onnxls` installs it'):format(command[1])
  end
  local done = running:wait(TIMEOUT_MS)
  if done.code ~= 0 then
    return nil, vim.trim(done.stderr or '')
  end
  return done.stdout, nil
end

---The lines of a model's text; those of a comment that says why there are none.
---@param path string
---@return string[] lines, boolean ok
function M.lines(path)
  local text, problem = from_server(path)
  if not text and not problem then
    text, problem = from_command(path)
  end
  if not text then
    local why = problem and problem ~= '' and problem or 'the model cannot be read'
    return vim.tbl_map(function(line)
      return '# ' .. line
    end, vim.split(why, '\r?\n')), false
  end
  return vim.split((text:gsub('\r?\n$', '')), '\r?\n'), true
end

---Fills the buffer of a file that is being opened.
---@param buf integer
---@param path string
function M.read(buf, path)
  path = vim.fn.fnamemodify(path, ':p')
  if not vim.uv.fs_stat(path) then
    vim.bo[buf].filetype = 'onnx-text'
    vim.notify(('onnxls: %s: no such file'):format(path), vim.log.levels.WARN)
    return
  end
  vim.api.nvim_exec_autocmds('BufReadPre', { buffer = buf, modeline = false })
  vim.bo[buf].readonly, vim.bo[buf].modifiable = false, true
  vim.bo[buf].swapfile, vim.bo[buf].undolevels = false, -1
  vim.bo[buf].fileencoding, vim.bo[buf].bomb = 'utf-8', false
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, (M.lines(path)))
  vim.bo[buf].modified, vim.bo[buf].modifiable, vim.bo[buf].readonly = false, false, true
  -- 'buftype' stays empty: `vim.lsp.enable` passes over buffers that have one
  vim.bo[buf].filetype = 'onnx-text'
  vim.api.nvim_exec_autocmds('BufReadPost', { buffer = buf, modeline = false })
end

return M
