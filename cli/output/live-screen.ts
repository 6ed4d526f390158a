import { cut } from './table.ts';
import { harmless, type Terminal } from './terminal.ts';

/** Lines that are drawn again in their place. */
export interface LiveScreen {
  draw(lines: readonly string[]): void;
}

/** Draws over what it drew before; no line wraps and no more are drawn than the screen has, so that this holds. */
export function liveScreen(terminal: Terminal): LiveScreen {
  let drawn = 0;
  return {
    draw(lines) {
      const columns = terminal.columns() ?? Number.POSITIVE_INFINITY;
      const shown = fitting(lines, (terminal.rows() ?? Number.POSITIVE_INFINITY) - 1).map((line) =>
        cut(harmless(line), columns),
      );
      const back = drawn === 0 ? '' : `\x1b[${drawn}A\r\x1b[J`;
      terminal.output.write(`${back}${shown.map((line) => `${line}\n`).join('')}`);
      drawn = shown.length;
    },
  };
}

function fitting(lines: readonly string[], rows: number): readonly string[] {
  if (lines.length <= rows) return lines;
  return [...lines.slice(0, rows - 1), `… ${lines.length - rows + 1} more lines: a higher window shows them`];
}
