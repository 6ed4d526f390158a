import { reportLine } from '../../local/report-line.ts';
import { runCommand } from '../functions/command-line.ts';
import { exampleTemplate } from './example-template.ts';
import { type MagnumStage, startMagnumStage } from './magnum-stage.ts';
import { writeUserFiles } from './user-files.ts';

const usage = `Usage: npm run e2e:up [-- --exit]

Starts real magnum-api and magnum-conductor with the driver of shim/ and its listener, a real Keystone, MariaDB, RabbitMQ, a
real Cluster API control plane, the functions with a broker and sources, and a simulated cloud with its machines, all on the
loopback interface. Writes an openrc for the openstack command, makes a cluster template, prints how to go on, and stays up
until Ctrl-C.
  --exit   end when everything has started
  --help   show this text

Exit codes: 0 stopped as asked, 1 something failed, 2 wrong usage.`;

const startedAt = performance.now();

function say(line: string): void {
  console.log(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${line}`);
}

async function tellHowToGoOn(stage: MagnumStage): Promise<void> {
  const { openrc, openstack } = await writeUserFiles(stage);
  const { name } = exampleTemplate();
  await stage.magnum.createTemplate(exampleTemplate());
  console.log(`
  . ${openrc}
  ${openstack} coe cluster create --cluster-template ${name} --keypair mykey --node-count 1 first
  ${openstack} coe cluster show first
  kubectl --kubeconfig ${stage.controlPlane.kubeconfigPath} -n magnum-system get clusters

Logs are in ${stage.folder}/logs. Ctrl-C stops everything.`);
}

function interruption(): Promise<void> {
  return new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
}

await runCommand({
  usage,
  switches: ['exit'],
  async run({ exit }) {
    // From the beginning: what has started by then has to be ended too.
    const interrupted = interruption();
    const stage = await startMagnumStage({
      onProgress: say,
      system: { onReport: (report) => say(reportLine(report, process.stdout.columns)) },
    });
    try {
      await tellHowToGoOn(stage);
      if (!exit) await interrupted;
    } finally {
      await stage.stop();
      say('everything is stopped');
    }
    return 0;
  },
});
