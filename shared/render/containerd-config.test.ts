import { describe, expect, test } from 'vitest';
import { containerdConfig } from './containerd-config.ts';

describe("containerd's configuration", () => {
  test.each([
    [null, 'sandbox_image = "registry.k8s.io/pause:3.9"'],
    ['registry.example.com/mirror', 'sandbox_image = "registry.example.com/mirror/pause:3.9"'],
    ['evil"\n[plugins]', String.raw`sandbox_image = "evil\"\n[plugins]/pause:3.9"`],
  ])('for the mirror %j has the line %s', (mirror, line) => {
    expect(
      containerdConfig(mirror)
        .split('\n')
        .map((text) => text.trim()),
    ).toContain(line);
  });

  test('lets systemd manage control groups, as the kubelet does', () => {
    expect(containerdConfig(null)).toContain('SystemdCgroup = true');
  });
});
