import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { commandsDocument } from '../cli/commands-document.ts';
import { doctorDocument } from '../cli/doctor/doctor-document.ts';
import { eventSchemas, eventsDocument } from '../shared/contract/events-document.ts';
import { logsDocument } from '../shared/host/log-fields-document.ts';
import { variablesDocument } from '../shared/host/variables-document.ts';
import { labelsDocument } from '../shared/magnum/labels-document.ts';
import { addonsDocument } from '../shared/render/addons/addons-document.ts';
import { metricsDocument } from '../shared/telemetry/metrics-document.ts';
import { rightsDocument } from './rights-document.ts';

const usage = `Usage: node scripts/generate-docs.ts [--check]

Writes what of docs/ is generated from the code: its pages, and docs/schemas/.
  --check   write nothing; exit with 1 if a file is out of date`;

function generatedFiles(): Map<string, string> {
  const files = new Map([
    ['docs/labels.md', labelsDocument()],
    ['docs/events.md', eventsDocument()],
    ['docs/addons.md', addonsDocument()],
    ['docs/cli.md', commandsDocument()],
    ['docs/doctor.md', doctorDocument()],
    ['docs/rights.md', rightsDocument()],
    ['docs/metrics.md', metricsDocument()],
    ['docs/logs.md', logsDocument()],
    ['docs/variables.md', variablesDocument()],
  ]);
  for (const [type, schema] of eventSchemas()) {
    files.set(`docs/schemas/${type}.json`, `${JSON.stringify(schema, null, 2)}\n`);
  }
  return files;
}

function isCurrent(path: string, content: string): boolean {
  try {
    return readFileSync(path, 'utf8') === content;
  } catch {
    return false;
  }
}

function main(options: readonly string[]): number {
  if (options.includes('--help')) {
    console.log(usage);
    return 0;
  }
  const outdated = [...generatedFiles()].filter(([path, content]) => !isCurrent(path, content));
  if (options.includes('--check')) {
    for (const [path] of outdated) console.error(`${path} is out of date: run "npm run docs".`);
    return outdated.length === 0 ? 0 : 1;
  }
  for (const [path, content] of outdated) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    console.log(`wrote ${path}`);
  }
  return 0;
}

process.exitCode = main(process.argv.slice(2));
