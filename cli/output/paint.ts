import { styleText } from 'node:util';
import type { Terminal } from './terminal.ts';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Colours a text where the terminal has colours. */
export type Paint = (style: Style, text: string) => string;

export function painter({ hasColours }: Pick<Terminal, 'hasColours'>): Paint {
  // The terminal has decided already, also for what is not process.stdout.
  return (style, text) => (hasColours ? styleText(style, text, { validateStream: false }) : text);
}
