// Which Python texts concern the server.

/** Whether a text names onnxscript at all; the server itself looks closer. */
export function mentionsOnnxscript(text: string): boolean {
  return /\bonnxscript\b/.test(text);
}
