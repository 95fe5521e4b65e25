-- As the page for Neovim says, with the server of this working tree.

vim.opt.runtimepath:append(assert(vim.env.ONNXLS_PLUGIN))
vim.lsp.config('onnxls', { cmd = { assert(vim.env.ONNXLS_PYTHON), '-m', 'onnxls_server.cli', 'server' } })
vim.lsp.enable('onnxls')
