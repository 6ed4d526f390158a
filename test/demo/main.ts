import { reportLine } from '../../local/report-line.ts';
import type { StatusReport } from '../../shared/status/progress.ts';
import { startControlPlane } from '../env/control-plane.ts';
import { makeClusterCertificates } from '../functions/cluster-certificates.ts';
import { describeCluster } from '../functions/cluster-view.ts';
import { runCommand } from '../functions/command-line.ts';
import { completeEvent, readExample } from '../functions/example-event.ts';
import { functionOf } from '../functions/function-of.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { statusOf } from '../system/report-log.ts';
import { type SystemStage, startSystemStage } from '../system/system-stage.ts';

const usage = `Usage: npm run demo [-- --full] [--exit]

Starts a real Cluster API control plane, a simulated OpenStack with its machines and the functions with a broker and sources on
this machine, sends the create events of examples/ to the create function, and prints each report for Magnum as it arrives,
until the cluster is complete. Then it stays up until Ctrl-C.
  --full   create the larger example too: three masters, autoscaling and more
  --exit   delete the first cluster and end when everything was shown
  --help   show this text

Exit codes: 0 all was shown, 1 something failed, 2 wrong usage.`;

const plain = 'cluster-create-plain.json';
const full = 'cluster-create-full.json';
const addition = 'nodegroup-create.json';
const deletion = 'cluster-delete.json';
/** Milliseconds that a cluster gets to be complete. */
const patience = 600_000;
const startedAt = performance.now();

function say(line: string): void {
  console.log(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${line}`);
}

/** Sends one example, completed by what cannot stand in a file, and gives the name of the Cluster. */
async function sendExample(stage: SystemStage, name: string): Promise<string> {
  const read = await readExample(name);
  const isCreate = read.type.includes('.cluster.create.');
  const certificates = isCreate ? { certificates: await makeClusterCertificates(name) } : {};
  const example = await completeEvent(read, { cloud: stage.cloud, ...certificates });
  const event = { ...example, time: new Date().toISOString() };
  const sentAt = performance.now();
  const answer = await stage.send(functionOf(event), event);
  const stackId = acceptedStackId(answer);
  say(`${name}: ${event.type} → ${answer.type}, ${stackId}, in ${Math.round(performance.now() - sentAt)} ms`);
  return stackId;
}

async function untilStatus(stage: SystemStage, stackId: string, wanted: string): Promise<void> {
  const matches = (report: StatusReport) => statusOf(report) === wanted;
  const { api_address, coe_version } = await stage.reports.status(stackId, {
    what: wanted,
    matches,
    timeout: patience,
  });
  say(`${stackId} is ${wanted}${api_address === null ? '' : `: Kubernetes ${coe_version} at ${api_address}`}`);
}

interface Choices {
  readonly full: boolean;
  readonly exit: boolean;
}

async function show(stage: SystemStage, choices: Choices): Promise<void> {
  const first = await sendExample(stage, plain);
  await untilStatus(stage, first, 'CREATE_COMPLETE');
  await sendExample(stage, addition);
  await untilStatus(stage, first, 'UPDATE_COMPLETE');
  const stackIds = [first];
  if (choices.full) {
    const second = await sendExample(stage, full);
    await untilStatus(stage, second, 'CREATE_COMPLETE');
    stackIds.push(second);
  }
  for (const stackId of stackIds) console.log(`\n${await describeCluster(stage.api, stackId)}`);
  if (!choices.exit) return;
  await sendExample(stage, deletion);
  await untilStatus(stage, first, 'DELETE_COMPLETE');
}

async function untilInterrupted(): Promise<void> {
  await new Promise<void>((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
}

async function run(choices: Choices): Promise<void> {
  const controlPlane = await startControlPlane({ onProgress: say });
  try {
    const stage = await startSystemStage({
      controlPlane,
      onProgress: (line) => say(`simulated: ${line}`),
      onReport: (report) => say(reportLine(report, process.stdout.columns)),
    });
    say(`the create function listens on ${stage.functions.get('create').url}`);
    say(`the simulated OpenStack is at ${stage.cloud.authUrl}`);
    try {
      await show(stage, choices);
      if (choices.exit) return;
      console.log(
        `\nLook around with: kubectl --kubeconfig ${controlPlane.kubeconfigPath} -n magnum-system get clusters`,
      );
      console.log('Ctrl-C stops everything.');
      await untilInterrupted();
    } finally {
      await stage.stop();
    }
  } finally {
    await controlPlane.stop();
    say('everything is stopped');
  }
}

await runCommand({
  usage,
  switches: ['full', 'exit'],
  async run(choices) {
    await run(choices);
    return 0;
  },
});
