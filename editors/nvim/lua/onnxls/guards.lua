-- What the function or model at the cursor needs of its sizes, and sizes that are tried on it.

local M = {}

local TIMEOUT_MS = 20000

local STATES = { holds = ' (holds)', fails = ' (fails)' }

---@return vim.lsp.Client?
local function attached()
  return vim.lsp.get_clients({ bufnr = 0, name = 'onnxls' })[1]
end

---@param method string
---@param params table
---@return table? result, string? problem
local function ask(method, params)
  local client = attached()
  if not client then
    return nil, 'the server is not attached to this buffer'
  end
  local answer, problem = client:request_sync(method, params, TIMEOUT_MS, 0)
  if not answer or answer.err then
    return nil, problem or answer.err.message
  end
  if answer.result == nil or answer.result == vim.NIL then
    return nil, 'there is no function or model here'
  end
  return answer.result, nil
end

local function encoding()
  local client = attached()
  return client and client.offset_encoding or 'utf-8'
end

---The guards of the function or model at the cursor.
local function here()
  local at = vim.lsp.util.make_position_params(0, encoding())
  return ask('onnxls/guards', { uri = at.textDocument.uri, position = at.position })
end

local function say(problem)
  vim.notify('onnxls: ' .. problem, vim.log.levels.WARN)
end

---@param found table
local function show(found)
  local items = {}
  for _, guard in ipairs(found.guards) do
    local item = { bufnr = vim.api.nvim_get_current_buf(), text = ('%s %s%s'):format(guard.kind, guard.text, STATES[guard.state] or '') }
    if guard.range and guard.range ~= vim.NIL then
      local start = guard.range.start
      local line = vim.api.nvim_buf_get_lines(0, start.line, start.line + 1, false)[1] or ''
      item.lnum, item.col = start.line + 1, vim.str_byteindex(line, encoding(), start.character, false) + 1
    end
    table.insert(items, item)
  end
  vim.fn.setloclist(0, {}, ' ', { title = ('Guards of %s'):format(found.unit), items = items })
  if #items == 0 then
    vim.notify(('onnxls: %s needs nothing of its sizes'):format(found.unit))
  end
end

---Puts the guards of the function or model at the cursor into the location list.
function M.list()
  local found, problem = here()
  if not found then
    return say(problem)
  end
  show(found)
  if #found.guards > 0 then
    vim.cmd.lopen()
  end
end

---Findings, hints and guards are of these sizes from now on; of none, where none are given.
---@param words string[] such as `N=2`
function M.try(words)
  local sizes = vim.empty_dict()
  for _, word in ipairs(words) do
    local name, size = word:match('^(.-)=(%d+)$')
    if not name or name == '' then
      return say(('`%s` is not of the form N=2'):format(word))
    end
    sizes[name] = tonumber(size)
  end
  local found, problem = here()
  if not found then
    return say(problem)
  end
  local params = { uri = vim.uri_from_bufnr(0), unit = found.unit, sizes = #words > 0 and sizes or vim.NIL }
  found, problem = ask('onnxls/setSizes', params)
  if not found then
    return say(problem)
  end
  show(found)
end

---The symbols of the function or model at the cursor, for completion.
---@param start string
---@return string[]
function M.symbols(start)
  local found = here()
  local names = {}
  for _, symbol in ipairs(found and found.symbols or {}) do
    if vim.startswith(symbol.name, start) and not symbol.name:find('%s') then
      table.insert(names, symbol.name .. '=')
    end
  end
  return names
end

return M
