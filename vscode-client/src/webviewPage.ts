// Sets up a webview: its script is one of ours, and it may load nothing else.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { page } from './html';

export interface WebviewParts {
  title: string;
  style: string;
  body: string;
  /** A file in `dist/pages`. */
  script: string;
}

export function webviewPage(webview: vscode.Webview, extension: vscode.Uri, parts: WebviewParts): string {
  const scripts = vscode.Uri.joinPath(extension, 'dist', 'pages');
  webview.options = { enableScripts: true, localResourceRoots: [scripts] };
  return page({
    ...parts,
    scriptUri: webview.asWebviewUri(vscode.Uri.joinPath(scripts, parts.script)).toString(),
    cspSource: webview.cspSource,
    nonce: randomBytes(16).toString('base64url'),
  });
}
