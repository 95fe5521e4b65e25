// Pages of webviews: a strict content policy, styles and script by nonce, and nothing from elsewhere.

export interface PageParts {
  title: string;
  style: string;
  body: string;
  scriptUri: string;
  cspSource: string;
  nonce: string;
}

export function page({ title, style, body, scriptUri, cspSource, nonce }: PageParts): string {
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src ${cspSource} 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>
${body}
<script nonce="${nonce}" src="${escapeHtml(scriptUri)}"></script>
</body>
</html>`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** For text and for quoted attributes; control characters, which XML forbids, become a replacement character. */
export function escapeHtml(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd');
}
