" The ONNX textual syntax, as `onnxls show` prints it.

if exists('b:current_syntax')
  finish
endif

syntax case match

syntax match onnxName /\<\h[[:alnum:]_.]*/
syntax match onnxOperator /\%(=\s*\)\@<=\%(\h\w*\.\)*\h\w*\ze\s*[(<:]/
syntax match onnxAttribute /\<\h\w*\ze\s*\%(:\s*\w\+\s*\)\?=\s*\%([-+]\?\d\|\[\|"\|@\|{\|\%(float\|double\|u\?int\d\+\|bool\|string\)\d*\[\)/
syntax keyword onnxType float float16 bfloat16 double bool string complex64 complex128
syntax keyword onnxType int2 int4 int8 int16 int32 int64 uint2 uint4 uint8 uint16 uint32 uint64
syntax keyword onnxType float4e2m1 float8e4m3fn float8e4m3fnuz float8e5m2 float8e5m2fnuz float8e8m0
syntax keyword onnxType seq map optional sparse_tensor
syntax match onnxHeader /\<\%(ir_version\|opset_import\|producer_name\|producer_version\|domain\|model_version\|doc_string\|metadata_props\|overload\)\ze\s*:/
syntax match onnxNumber /\%(\w\|\.\)\@<![-+]\?\%(\d\+\%(\.\d*\)\?\%([eE][-+]\?\d\+\)\?\|inf\|nan\)\>/
syntax match onnxArrow /=>/
syntax region onnxString start=/"/ skip=/\\./ end=/"/ oneline
syntax match onnxNodeName /\[\ze"\%([^"\\]\|\\.\)*"\]\s*["[:alpha:]_]/ nextgroup=onnxLabel
syntax region onnxLabel start=/"/ skip=/\\./ end=/"/ oneline contained
syntax match onnxComment /#.*$/ contains=onnxAnnotated
syntax match onnxAnnotated /\%(^\|#\s*\)\@<=\%(\h\w*\)\ze\[/ contained

highlight default link onnxName Identifier
highlight default link onnxOperator Function
highlight default link onnxAttribute Special
highlight default link onnxType Type
highlight default link onnxHeader Keyword
highlight default link onnxNumber Number
highlight default link onnxArrow Operator
highlight default link onnxString String
highlight default link onnxNodeName Delimiter
highlight default link onnxLabel Label
highlight default link onnxComment Comment
highlight default link onnxAnnotated Comment

let b:current_syntax = 'onnx-text'
