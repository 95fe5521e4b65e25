-- ONNX models, binary or written as text, are of one file type: people see the text of both.

vim.filetype.add({
  extension = {
    onnx = 'onnx-text',
    onnxtxt = 'onnx-text',
    onnxtext = 'onnx-text',
    onnxjson = 'json',
  },
})
