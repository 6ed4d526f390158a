import { startControlPlane } from '../env/control-plane.ts';
import { makeClusterCertificates } from '../functions/cluster-certificates.ts';
import { describeCluster } from '../functions/cluster-view.ts';
import { runCommand } from '../functions/command-line.ts';
import { type CreateStage, startCreateStage } from '../functions/create-stage.ts';
import { completeEvent, readExample } from '../functions/example-event.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { simulateControlPlane } from '../functions/simulated-control-plane.ts';
import { waitForTopology } from '../functions/topology.ts';

const usage = `Usage: npm run demo [-- --exit]

Starts a real Cluster API control plane and a simulated OpenStack on this machine, sends the create events of examples/ to
the create function and shows what Cluster API makes of them. Then it stays up until Ctrl-C.
  --exit   end when everything was shown
  --help   show this text

Exit codes: 0 all was shown, 1 something failed, 2 wrong usage.`;

const creations = ['cluster-create-plain.json', 'cluster-create-full.json'];
const addition = 'nodegroup-create.json';
const startedAt = performance.now();

function say(line: string): void {
  console.log(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${line}`);
}

/** Sends one example, completed by what must not stand in a file, and gives the name of the Cluster. */
async function sendExample(stage: CreateStage, name: string): Promise<string> {
  const certificates = creations.includes(name) ? { certificates: await makeClusterCertificates(name) } : {};
  const event = completeEvent(await readExample(name), { cloud: stage.cloud, ...certificates });
  const sentAt = performance.now();
  const answer = await stage.send(event);
  const stackId = acceptedStackId(answer);
  say(`${name}: ${event.type} → ${answer.type}, ${stackId}, in ${Math.round(performance.now() - sentAt)} ms`);
  return stackId;
}

async function show(stage: CreateStage): Promise<void> {
  const stackIds: string[] = [];
  for (const name of creations) {
    const stackId = await sendExample(stage, name);
    await waitForTopology(stage.api, stackId);
    say(`Cluster API has reconciled the topology of ${stackId}`);
    stackIds.push(stackId);
  }
  const [first = ''] = stackIds;
  await simulateControlPlane(stage.api, first);
  say(`simulated: the control plane of ${first} is up, so that Cluster API adds machine deployments to it`);
  await sendExample(stage, addition);
  await waitForTopology(stage.api, first);
  say(`Cluster API has reconciled the topology of ${first} with the new nodegroup`);
  for (const stackId of stackIds) console.log(`\n${await describeCluster(stage.api, stackId)}`);
}

async function untilInterrupted(): Promise<void> {
  await new Promise<void>((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
}

async function run(exit: boolean): Promise<void> {
  const controlPlane = await startControlPlane({ onProgress: say });
  try {
    const stage = await startCreateStage(controlPlane);
    say(`the create function listens on ${stage.function.url}, the simulated OpenStack on ${stage.cloud.authUrl}`);
    try {
      await show(stage);
      if (exit) return;
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
  switches: ['exit'],
  async run({ exit }) {
    await run(exit);
    return 0;
  },
});
