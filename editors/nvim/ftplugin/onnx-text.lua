vim.bo.commentstring = '# %s'
-- names of values have dots in them
vim.bo.iskeyword = '@,48-57,_,192-255,.'
vim.wo.wrap = false

vim.b.undo_ftplugin = (vim.b.undo_ftplugin and vim.b.undo_ftplugin .. ' | ' or '')
  .. 'setlocal commentstring< iskeyword< wrap<'
