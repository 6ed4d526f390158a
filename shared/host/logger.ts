import { type DestinationStream, type LevelWithSilent, type LoggerOptions, pino } from 'pino';
import { redactFields, redactText } from './redaction.ts';

type Write = (fields: object, message: string) => void;

/** The part of pino that functions use. */
export interface Logger {
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
  readonly fatal: Write;
  /** A logger that adds these fields to each line. */
  child(fields: object): Logger;
}

export interface LoggerSettings {
  /** @default info */
  readonly level?: LevelWithSilent;
  /** Fields of each line, e.g. the revision. */
  readonly fields?: object;
  /** @default standard output, written at once so that no line is lost when the process ends */
  readonly destination?: DestinationStream;
}

/** Writes one line of JSON an entry. Every field, text and error passes the redaction first. */
export function createLogger(settings: LoggerSettings = {}): Logger {
  const options: LoggerOptions = {
    level: settings.level ?? 'info',
    base: settings.fields ?? {},
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (level) => ({ level }), bindings: redactFields, log: redactFields },
    hooks: {
      logMethod([fields, message, ...rest], method) {
        method.apply(this, [fields, typeof message === 'string' ? redactText(message) : message, ...rest]);
      },
    },
  };
  return pino(options, settings.destination ?? pino.destination({ fd: 1, sync: true }));
}
