// The language client: which documents it serves, and how the server's process is started.
import * as vscode from 'vscode';
import {
  DocumentDiagnosticRequest,
  ExecuteCommandRequest,
  LanguageClient,
  RevealOutputChannelOn,
  TransportKind,
  type DynamicFeature,
  type ExecuteCommandRegistrationOptions,
  type LanguageClientOptions,
  type RegistrationData,
  type StaticFeature,
} from 'vscode-languageclient/node';
import type { Command } from './interpreters';
import { LANGUAGE, TEXT_SCHEME } from './modelUri';

const DOCUMENTS: NonNullable<LanguageClientOptions['documentSelector']> = [
  { scheme: 'file', language: 'python' },
  { scheme: 'untitled', language: 'python' },
  { scheme: 'vscode-notebook-cell', language: 'python' },
  { scheme: TEXT_SCHEME, language: LANGUAGE },
  // A binary model opened in the plain editor has this language, too, but is no text.
  { scheme: 'file', language: LANGUAGE, pattern: '**/*.{onnxtxt,onnxtext}' },
  { scheme: 'untitled', language: LANGUAGE },
];

export function makeClient([command, ...args]: Command, cwd: string, output: vscode.LogOutputChannel): LanguageClient {
  return new Client(
    'onnxls',
    'onnxls',
    { command, args, transport: TransportKind.stdio, options: { cwd } },
    {
      documentSelector: DOCUMENTS,
      outputChannel: output,
      traceOutputChannel: output,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
    },
  );
}

class Client extends LanguageClient {
  override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
    const method = 'registrationType' in feature ? feature.registrationType.method : undefined;
    // Findings are sent, not asked for: of a text whose tab closes, those that were asked for would stay for ever.
    if (method === DocumentDiagnosticRequest.method) return;
    if (method === ExecuteCommandRequest.method) {
      withoutOwnCommands(feature as DynamicFeature<ExecuteCommandRegistrationOptions>);
    }
    super.registerFeature(feature);
  }
}

/** Commands that the server announces and the extension carries out itself are not registered a second time. */
function withoutOwnCommands(feature: DynamicFeature<ExecuteCommandRegistrationOptions>): void {
  const register = feature.register.bind(feature);
  feature.register = (data: RegistrationData<ExecuteCommandRegistrationOptions>) => {
    const commands = data.registerOptions.commands.filter((command) => !command.startsWith('onnxls.'));
    register({ ...data, registerOptions: { ...data.registerOptions, commands } });
  };
}
