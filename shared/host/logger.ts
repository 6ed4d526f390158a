import { type DestinationStream, type LevelWithSilent, type Logger as PinoLogger, pino } from 'pino';
import { traceFields } from '../telemetry/event-scope.ts';
import { redactFields, redactText } from './redaction.ts';

type Level = 'debug' | 'info' | 'warn' | 'error' | 'fatal';

type Write = (fields: object, message: string) => void;

/** Writes lines of JSON. */
export interface Logger extends Readonly<Record<Level, Write>> {
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

/** Every field, text and error passes the redaction before it reaches pino. */
export function createLogger(settings: LoggerSettings = {}): Logger {
  const options = {
    level: settings.level ?? 'info',
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    // Each line of an event tells its trace.
    mixin: traceFields,
    formatters: { level: (level: string) => ({ level }) },
    // Errors come as plain fields already; pino's own serializer would join the messages of their causes.
    serializers: { err: (error: unknown) => error },
  };
  const logger = pino(options, settings.destination ?? pino.destination({ fd: 1, sync: true }));
  return redactingLogger(settings.fields === undefined ? logger : logger.child(redactFields(settings.fields)));
}

function redactingLogger(logger: PinoLogger): Logger {
  const writeAt = (level: Level): Write => {
    return (fields, message) => {
      if (logger.isLevelEnabled(level)) logger[level](redactFields(fields), redactText(message));
    };
  };
  return {
    debug: writeAt('debug'),
    info: writeAt('info'),
    warn: writeAt('warn'),
    error: writeAt('error'),
    fatal: writeAt('fatal'),
    child: (fields) => redactingLogger(logger.child(redactFields(fields))),
  };
}
