// A model's file and its text are two resources that differ in their scheme alone.

export const TEXT_SCHEME = 'onnx-text';
export const LANGUAGE = 'onnx-text';

interface UriLike<Self> {
  scheme: string;
  path: string;
  with(change: { scheme: string }): Self;
}

export function textOf<Uri extends UriLike<Uri>>(file: Uri): Uri {
  return file.with({ scheme: TEXT_SCHEME });
}

export function fileOf<Uri extends UriLike<Uri>>(text: Uri): Uri {
  return text.with({ scheme: 'file' });
}

export function isModel({ scheme, path }: { scheme: string; path: string }): boolean {
  return (scheme === 'file' || scheme === TEXT_SCHEME) && path.toLowerCase().endsWith('.onnx');
}
