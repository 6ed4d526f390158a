import { type LabelName, type LabelValues, labelCatalogue } from '../label-catalogue.ts';
import type { FaultList } from './fault-list.ts';
import { isUnset, readValue } from './read-value.ts';
import { labelSubject, type Owner, type Subject } from './subject.ts';

export interface LabelReader {
  /** The value of a label; missing, empty or wrong (which is a fault) = its default. */
  read<Name extends LabelName>(name: Name): LabelValues[Name];
  has(name: LabelName): boolean;
  subject(name: LabelName): Subject;
}

interface LabelSource {
  /** As Magnum gives them; null = none. */
  readonly labels: unknown;
  readonly owner: Owner;
  readonly faults: FaultList;
  /** The owner exists already: what the original driver let pass is tolerated. */
  readonly existing: boolean;
}

/** Reads labels as the catalogue defines them. */
export function labelReader(source: LabelSource): LabelReader {
  const { owner, faults, existing } = source;
  const labels = labelMap(source);

  function read<Name extends LabelName>(name: Name): LabelValues[Name] {
    const { parse, keepsEmpty, tolerated, default: initial, shownDefault } = labelCatalogue[name];
    const result = readValue(labels.get(name), { parse, keepsEmpty });
    if ('value' in result) return result.value;
    if ('problem' in result) {
      const instead = `${shownDefault.replaceAll('`', '')} is used`;
      faults.addOrNote(labelSubject(owner, name), existing && tolerated, { problem: result.problem, instead });
    }
    return initial;
  }

  return {
    read,
    has: (name) => !isUnset(labels.get(name), labelCatalogue[name].keepsEmpty),
    subject: (name) => labelSubject(owner, name),
  };
}

/** Reads what `own` has, and what it lacks from `parent`. */
export function inheritedLabelReader(own: LabelReader, parent: LabelReader): LabelReader {
  const owning = (name: LabelName) => (own.has(name) ? own : parent);
  return {
    read: (name) => owning(name).read(name),
    has: (name) => own.has(name) || parent.has(name),
    subject: (name) => owning(name).subject(name),
  };
}

function labelMap({ labels, owner, faults }: LabelSource): ReadonlyMap<string, unknown> {
  if (labels === null || labels === undefined) return new Map();
  if (typeof labels === 'object' && !Array.isArray(labels)) return new Map(Object.entries(labels));
  faults.add(
    { code: 'invalid_field', path: owner.labelPath, title: `Field labels${owner.suffix}` },
    ' holds no labels',
  );
  return new Map();
}
