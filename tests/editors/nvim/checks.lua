-- Goes through the features as a person would, and prints `ok NAME` or `failed NAME: WHY` for each.

local workspace = assert(vim.env.ONNXLS_WORKSPACE)
local failed = 0

local function check(name, run)
  local ok, why = pcall(run)
  if ok and why ~= false then
    io.stdout:write(('ok %s\n'):format(name))
  else
    failed = failed + 1
    io.stdout:write(('failed %s: %s\n'):format(name, tostring(why):gsub('\n', ' | ')))
  end
end

local function wait(condition, ms)
  return vim.wait(ms or 20000, condition, 20)
end

local function expect(found, wanted)
  if type(found) ~= 'string' or not found:find(wanted, 1, true) then
    error(('%s is not in %s'):format(wanted, vim.inspect(found)), 2)
  end
end

local function client()
  return assert(vim.lsp.get_clients({ bufnr = 0, name = 'onnxls' })[1], 'no server is attached')
end

local function params(line, column)
  return {
    textDocument = vim.lsp.util.make_text_document_params(0),
    position = { line = line, character = column },
  }
end

local function ask(method, asked)
  local answer, problem = client():request_sync(method, asked, 20000)
  if not answer or answer.err then
    error(problem or answer.err.message, 2)
  end
  return answer.result
end

local function messages()
  return vim.tbl_map(function(each)
    return each.message
  end, vim.diagnostic.get(0))
end

-- The 0-based line and byte column of the first occurrence of a text in the buffer.
local function find(text, after)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local column = line:find(text, 1, true)
    if column and number > (after or 0) then
      return number - 1, column - 1
    end
  end
  error(text .. ' is not in the buffer')
end

local function lines()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
end

-- ------------------------------------------------------------------ a source

vim.cmd.edit(workspace .. '/net.py')

check('attached', function()
  return wait(function()
    return #vim.lsp.get_clients({ bufnr = 0, name = 'onnxls' }) == 1
  end)
end)

check('diagnostics', function()
  assert(wait(function()
    return #vim.diagnostic.get(0) == 1
  end), vim.inspect(messages()))
  local found = vim.diagnostic.get(0)[1]
  expect(found.message, 'runs for N = 2, fails for N = 1')
  expect(found.code, 'OLS201')
  local line = vim.api.nvim_buf_get_lines(0, found.lnum, found.lnum + 1, false)[1]
  expect(line:sub(found.col + 1, found.end_col), 'Reshape') -- columns are bytes, also after the emoji
end)

check('hover', function()
  local line, column = find('y = op.Relu')
  local answer = ask('textDocument/hover', params(line, column))
  expect(vim.inspect(answer.contents), '[N, 4]')
end)

check('inlay-hints', function()
  vim.lsp.inlay_hint.enable(true, { bufnr = 0 })
  assert(wait(function()
    return #vim.lsp.inlay_hint.get({ bufnr = 0 }) > 0
  end))
  local shown = vim.inspect(vim.tbl_map(function(each)
    return each.inlay_hint.label
  end, vim.lsp.inlay_hint.get({ bufnr = 0 })))
  expect(shown, '[N, 4]')
end)

check('completion', function()
  local line, column = find('op.Relu')
  local answer = ask('textDocument/completion', params(line, column + #'op.Re'))
  local labels = vim.inspect(vim.tbl_map(function(each)
    return each.label
  end, answer.items or answer))
  expect(labels, 'ReduceSum')
end)

check('definition', function()
  local line, column = find('Relu(x')
  local answer = ask('textDocument/definition', params(line, column + #'Relu('))
  local found = vim.islist(answer) and answer[1] or answer
  local range = found.range or found.targetSelectionRange
  assert(range.start.line == (find('def net')), vim.inspect(answer))
end)

check('diagnostics-after-an-edit', function()
  local line = find('[-1, 8]')
  local text = vim.api.nvim_buf_get_lines(0, line, line + 1, false)[1]
  vim.api.nvim_buf_set_lines(0, line, line + 1, false, { (text:gsub('8', '2')) })
  assert(wait(function()
    return #vim.diagnostic.get(0) == 0
  end), vim.inspect(messages()))
  vim.cmd('silent undo')
  assert(wait(function()
    return #vim.diagnostic.get(0) == 1
  end), vim.inspect(messages()))
end)

check('code-action', function()
  local line = find('[-1, 8]')
  local before = lines()
  vim.api.nvim_win_set_cursor(0, { line + 1, 4 })
  local applied = false
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action)
      if applied or not action.title:find('gnore') then
        return false
      end
      applied = true
      return true
    end,
  })
  assert(wait(function()
    return lines() ~= before
  end), 'nothing was changed')
  expect(lines(), '# onnxls: ignore[')
  assert(wait(function()
    return #vim.diagnostic.get(0) == 0
  end), vim.inspect(messages()))
  vim.cmd('silent undo')
end)

local function guards()
  return vim.tbl_map(function(each)
    return each.text
  end, vim.fn.getloclist(0))
end

check('guards', function()
  vim.api.nvim_win_set_cursor(0, { find('y = op.Relu') + 1, 4 })
  local symbols = vim.fn.getcompletion('OnnxlsTrySizes ', 'cmdline')
  assert(symbols[1] == 'N=', vim.inspect(symbols))
  vim.cmd.OnnxlsGuards()
  vim.cmd('wincmd p | lclose')
  assert(guards()[1] == 'assert N % 2 == 0', vim.inspect(guards()))
end)

check('sizes-that-are-tried', function()
  vim.cmd.OnnxlsTrySizes('N=3')
  assert(guards()[1] == 'assert N % 2 == 0 (fails)', vim.inspect(guards()))
  assert(wait(function()
    return vim.diagnostic.count(0)[vim.diagnostic.severity.ERROR] == 1
  end), vim.inspect(messages()))
  vim.cmd.OnnxlsTrySizes('N=4')
  assert(guards()[1] == 'assert N % 2 == 0 (holds)', vim.inspect(guards()))
  vim.cmd.OnnxlsTrySizes()
  assert(guards()[1] == 'assert N % 2 == 0', vim.inspect(guards()))
end)

-- ------------------------------------------------------------------ binary models

vim.cmd('silent! write!')
vim.cmd.edit(workspace .. '/model.onnx')

check('model-as-text', function()
  expect(lines(), 'Reshape')
  assert(not vim.bo.modifiable and vim.bo.readonly and vim.bo.buftype == '' and not vim.bo.modified)
  assert(vim.bo.filetype == 'onnx-text' and vim.b.current_syntax == 'onnx-text')
end)

-- Whether the one finding is at the Reshape: before the text is open, it is at the start of the file.
local function at_reshape()
  local found = vim.diagnostic.get(0)
  local line = #found == 1 and vim.api.nvim_buf_get_lines(0, found[1].lnum, found[1].lnum + 1, false)[1]
  return line and line:find('= Reshape(', 1, true) ~= nil
end

check('model-diagnostics', function()
  assert(wait(at_reshape), vim.inspect(vim.diagnostic.get(0)))
end)

check('model-hover', function()
  local line, column = find('relu_out')
  local answer = ask('textDocument/hover', params(line, column))
  expect(vim.inspect(answer.contents), '[N, 4]')
end)

check('model-definition', function()
  local first = find('relu_out')
  local line, column = find('relu_out', first + 1)
  local answer = ask('textDocument/definition', params(line, column))
  local found = vim.islist(answer) and answer[1] or answer
  local range = found.range or found.targetSelectionRange
  assert(range.start.line == first, vim.inspect(answer))
end)

check('model-is-not-written', function()
  local size = vim.uv.fs_stat(workspace .. '/model.onnx').size
  pcall(vim.cmd, 'silent! write!')
  assert(vim.uv.fs_stat(workspace .. '/model.onnx').size == size)
end)

check('model-again', function()
  vim.cmd('silent edit')
  expect(lines(), 'Reshape')
  return wait(at_reshape)
end)

check('spaces-and-accents', function()
  vim.cmd.edit(vim.fn.fnameescape(workspace .. '/my models/résumé é.onnx'))
  expect(lines(), 'Reshape')
  return wait(at_reshape)
end)

check('broken-model', function()
  vim.cmd.edit(workspace .. '/broken.onnx')
  expect(lines(), '# ')
  return not vim.bo.modifiable
end)

check('text-model', function()
  vim.cmd.edit(workspace .. '/model.onnxtxt')
  assert(vim.bo.filetype == 'onnx-text' and vim.bo.modifiable)
  return wait(function()
    return #vim.diagnostic.get(0) == 1
  end)
end)

check('one-server', function()
  return #vim.lsp.get_clients({ name = 'onnxls' }) == 1
end)

check('shutdown', function()
  for _, each in ipairs(vim.lsp.get_clients()) do
    each:stop()
  end
  return wait(function()
    return #vim.lsp.get_clients() == 0
  end, 5000)
end)

check('model-without-a-server', function()
  vim.lsp.enable('onnxls', false)
  vim.cmd('silent %bwipeout!')
  vim.cmd.edit(workspace .. '/model.onnx')
  expect(lines(), 'Reshape')
  assert(#vim.lsp.get_clients() == 0)
end)

check('help', function()
  vim.cmd('helptags ' .. vim.fn.fnameescape(vim.env.ONNXLS_PLUGIN .. '/doc'))
  vim.cmd.help('onnxls-models')
  expect(lines(), 'opens as annotated text')
end)

vim.cmd(failed == 0 and 'qall!' or 'cquit 1')
