-- A binary model is opened as the annotated text that `onnxls show` prints. It cannot be changed there.

if vim.g.loaded_onnxls or vim.fn.has('nvim-0.11') == 0 then
  return
end
vim.g.loaded_onnxls = true

local group = vim.api.nvim_create_augroup('onnxls', {})

vim.api.nvim_create_autocmd('BufReadCmd', {
  group = group,
  pattern = '*.onnx',
  callback = function(event)
    require('onnxls.model').read(event.buf, event.match)
  end,
})

vim.api.nvim_create_autocmd({ 'BufWriteCmd', 'FileWriteCmd', 'FileAppendCmd' }, {
  group = group,
  pattern = '*.onnx',
  callback = function()
    vim.notify('onnxls: this is the text of a binary model, which cannot be written', vim.log.levels.ERROR)
  end,
})

vim.api.nvim_create_autocmd('FileReadCmd', {
  group = group,
  pattern = '*.onnx',
  callback = function(event)
    local lines = require('onnxls.model').lines(event.match)
    vim.api.nvim_buf_set_lines(event.buf, vim.fn.line("'["), vim.fn.line("'["), false, lines)
  end,
})

vim.api.nvim_create_user_command('OnnxlsGuards', function()
  require('onnxls.guards').list()
end, { desc = 'What the function or model at the cursor needs of its sizes' })

vim.api.nvim_create_user_command('OnnxlsTrySizes', function(call)
  require('onnxls.guards').try(call.fargs)
end, {
  nargs = '*',
  desc = 'Sizes of the function or model at the cursor; without any, take them back',
  complete = function(start)
    return require('onnxls.guards').symbols(start)
  end,
})
