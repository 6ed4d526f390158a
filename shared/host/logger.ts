import { type DestinationStream, type LevelWithSilent, type Logger as PinoLogger, pino } from 'pino';
import { traceFields } from '../telemetry/event-scope.ts';
import type { LogFields } from './log-fields.ts';
import { redactFields, redactText } from './redaction.ts';

type Level = 'debug' | 'info' | 'warn' | 'error' | 'fatal';

/** No field but those that are known, wherever the object comes from. */
type Exactly<Given, Fields> = Given & Readonly<Record<Exclude<keyof Given, keyof Fields>, never>>;

type Write<Fields> = <Given extends Fields>(fields: Exactly<Given, Fields>, message: string) => void;

/** Writes lines of JSON. @typeParam Fields what a line can tell */
export interface Logger<Fields extends object = LogFields> extends Readonly<Record<Level, Write<Fields>>> {
  /** A logger that adds these fields to each line. */
  child<Given extends Fields>(fields: Exactly<Given, Fields>): Logger<Fields>;
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
export function createLogger<Fields extends object = LogFields>(settings: LoggerSettings = {}): Logger<Fields> {
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

function redactingLogger<Fields extends object>(logger: PinoLogger): Logger<Fields> {
  const writeAt = (level: Level): Write<Fields> => {
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
