import { load } from 'js-yaml';
import * as z from 'zod';
import { readBootstrapData } from '../cloud/workload/bootstrap-data.ts';

export interface MachineFile {
  readonly content: string;
  /** Octal, of four digits. */
  readonly permissions: string;
  readonly owner: string;
}

/** All that bootstrap data tells a machine, read as strictly as cloud-init and Ignition document it. */
export interface MachineData {
  readonly text: string;
  /** By path. */
  readonly files: ReadonlyMap<string, MachineFile>;
  /** Lines of shell, in the order in which they run. */
  readonly commands: readonly string[];
}

const absolutePath = z.string().regex(/^(\/[\w.+@-]+)+$/);
const device = z.string().regex(/^\/dev\/[sv]d[b-z]$/);
const command = z.string().min(1);

/** cloud-init's modules write_files, runcmd, disk_setup and mounts; what else Cluster API could render is not asked for. */
const cloudConfig = z.strictObject({
  write_files: z.array(
    z.strictObject({
      path: absolutePath,
      owner: z.string().regex(/^[a-z]+:[a-z]+$/),
      permissions: z.string().regex(/^0[0-7]{3}$/),
      encoding: z.literal('base64').optional(),
      content: z.string().min(1),
    }),
  ),
  runcmd: z.array(command).min(1),
  disk_setup: z
    .record(device, z.strictObject({ table_type: z.literal('gpt'), layout: z.boolean(), overwrite: z.literal(false) }))
    .optional(),
  fs_setup: z
    .array(
      z.strictObject({
        label: z.string().max(16),
        filesystem: z.literal('ext4'),
        device,
        overwrite: z.literal(false),
        extra_opts: z.array(z.string()),
      }),
    )
    .optional(),
  mounts: z.array(z.tuple([z.string().regex(/^LABEL=\w+$/), absolutePath])).optional(),
});

const nothing = z.strictObject({});
const rootsName = z.strictObject({ name: z.literal('root') });
const unitName = z.string().regex(/^[\w@-]+\.(service|mount)$/);

/** Ignition's specification 2.3.0. */
const ignitionConfig = z.strictObject({
  ignition: z.strictObject({
    version: z.literal('2.3.0'),
    config: nothing,
    security: z.strictObject({ tls: nothing }),
    timeouts: nothing,
  }),
  networkd: nothing,
  passwd: nothing,
  storage: z.strictObject({
    files: z.array(
      z.strictObject({
        filesystem: z.literal('root'),
        path: absolutePath,
        // Ignition's default is root.
        user: rootsName.prefault({ name: 'root' }),
        group: rootsName.prefault({ name: 'root' }),
        mode: z.int().max(0o777),
        contents: z.strictObject({ source: z.string().startsWith('data:,'), verification: nothing }),
      }),
    ),
    filesystems: z
      .array(
        z.strictObject({
          name: z.string(),
          mount: z.strictObject({
            device,
            format: z.literal('ext4'),
            label: z.string().max(16),
            options: z.array(z.string()),
          }),
        }),
      )
      .optional(),
  }),
  systemd: z.strictObject({
    units: z.array(
      z.strictObject({
        name: unitName,
        enabled: z.literal(true),
        contents: z.string().startsWith('[Unit]\n').optional(),
        dropins: z
          .array(z.strictObject({ name: z.string().endsWith('.conf'), contents: z.string().startsWith('[Unit]\n') }))
          .optional(),
      }),
    ),
  }),
});

/** @throws when cloud-init or Ignition would refuse or overlook a part of it. */
export function readMachineData(text: string): MachineData {
  return text.startsWith('{') ? readIgnition(text) : readCloudConfig(text);
}

function readCloudConfig(text: string): MachineData {
  const { write_files, runcmd } = cloudConfig.parse(load(text));
  return { text, files: filesOf(text, write_files), commands: runcmd };
}

function readIgnition(text: string): MachineData {
  const { storage } = ignitionConfig.parse(JSON.parse(text));
  const listed = storage.files.map(({ path, mode, user, group }) => {
    return { path, permissions: mode.toString(8).padStart(4, '0'), owner: `${user.name}:${group.name}` };
  });
  const files = filesOf(text, listed);
  const script = files.get('/etc/kubeadm.sh')?.content ?? '';
  return { text, files, commands: script.split('\n').filter((line) => line !== '' && !line.startsWith('#!')) };
}

type Listed = Pick<MachineFile, 'permissions' | 'owner'> & { readonly path: string };

function filesOf(text: string, listed: readonly Listed[]): Map<string, MachineFile> {
  const { files } = readBootstrapData(text);
  if (files.size !== listed.length) throw new Error('A file is written twice.');
  return new Map(listed.map(({ path, ...file }) => [path, { ...file, content: files.get(path) ?? '' }]));
}
