import type { Section } from './measurement.ts';
import { type PartName, partNames, sectionTitles } from './section-names.ts';

/** What each part that ran has measured. */
type Sections = ReadonlyMap<PartName, Section>;

export interface RunSettings {
  readonly wants: (part: PartName) => boolean;
  readonly onProgress: (line: string) => void;
}

/** Some parts that are measured together on a stage. */
export interface Step<Stage> {
  readonly parts: readonly PartName[];
  /** Rough time of all its parts on two quiet cores. */
  readonly seconds: number;
  run(stage: Stage, settings: RunSettings): Promise<readonly (readonly [PartName, Section])[]>;
}

/** What the bench has found, part by part; a part that fails does not keep the others from running. */
export class PartRunner {
  readonly #settings: RunSettings;
  readonly #sections = new Map<PartName, Section>();
  readonly #failed = new Set<PartName>();
  /** Sentences. */
  readonly failures: string[] = [];

  constructor(settings: RunSettings) {
    this.#settings = settings;
  }

  wantsAny(steps: readonly Pick<Step<never>, 'parts'>[]): boolean {
    return steps.some(({ parts }) => parts.some(this.#settings.wants));
  }

  async run<Stage>(stage: Stage, steps: readonly Step<Stage>[]): Promise<void> {
    for (const step of steps.filter((one) => this.wantsAny([one]))) {
      const titles = step.parts.filter(this.#settings.wants).map((part) => sectionTitles[part]);
      this.#settings.onProgress(`${titles.join(', ')} (about ${step.seconds} s)`);
      const succeeded = await this.attempt(titles.join(', '), async () => {
        for (const [part, section] of await step.run(stage, this.#settings)) this.#add(part, section);
      });
      if (!succeeded) for (const part of step.parts) this.#failed.add(part);
    }
  }

  /** Keeps what goes wrong as a failure. @returns whether nothing did */
  async attempt(what: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      const failure = `${what}: ${reasonOf(error)}`;
      this.#settings.onProgress(failure);
      this.failures.push(failure);
      return false;
    }
  }

  /** In the order of the parts. */
  get sections(): Sections {
    const found = partNames.flatMap((name) => {
      const section = this.#sections.get(name);
      return section === undefined ? [] : [[name, section] as const];
    });
    return new Map(found);
  }

  /** Whether nothing is missing of a part. */
  isWhole(part: PartName): boolean {
    return this.#sections.has(part) && !this.#failed.has(part);
  }

  /** Some parts have measurements on more than one stage. */
  #add(part: PartName, { measurements, notes }: Section): void {
    const before = this.#sections.get(part) ?? { measurements: [], notes: [] };
    this.#sections.set(part, {
      measurements: [...before.measurements, ...measurements],
      notes: [...before.notes, ...notes],
    });
  }
}

/** An error's sentence with those of its causes: `fetch failed` alone says nothing. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message} (${reasonOf(error.cause)})`;
}
