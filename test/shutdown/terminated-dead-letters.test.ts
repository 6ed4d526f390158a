import { expect, test } from 'vitest';
import { deadEvent } from '../dead-letters/dead-event.ts';
import { deadLettersStageOfFile } from '../dead-letters/dead-letters-stage.ts';
import type { Moment } from './held-call.ts';
import { terminateAt } from './terminated-function.ts';

const stage = deadLettersStageOfFile();

test.each<Moment>(['the first read', 'the first write'])(
  'the dead-letters function keeps the letter that it has begun with when it is ended at %s',
  async (moment) => {
    const source = `/ended/${moment.replaceAll(' ', '-')}`;
    const { controlPlane, access, start } = stage();
    const terminated = { controlPlane, access, environment: {}, startAnother: start };
    const { answer } = await terminateAt(terminated, { event: deadEvent({ source }), moment });
    expect(answer.status).toBe(204);
    expect(await stage().letters(source)).toHaveLength(1);
  },
);
