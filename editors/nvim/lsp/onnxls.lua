-- The language server, for `vim.lsp.enable('onnxls')`. What a user gives to `vim.lsp.config('onnxls', …)` comes on top.

---@type vim.lsp.Config
return {
  cmd = { 'onnxls', 'server' },
  filetypes = { 'python', 'onnx-text' },
  root_markers = { 'onnxls.toml', 'pyproject.toml', '.git' },
}
