/** The pause image of every pod; the kubelet does not pull it, so containerd has to know where it is. */
const pauseImage = { registry: 'registry.k8s.io', name: 'pause:3.9' } as const;

/**
 * containerd's configuration (original-facts §3.1). containerd 2 reads version 2 too.
 * @param imageRepository registry prefix without trailing slash; null = upstream.
 */
export function containerdConfig(imageRepository: string | null): string {
  const sandboxImage = `${imageRepository ?? pauseImage.registry}/${pauseImage.name}`;
  return `version = 2
imports = ["/etc/containerd/conf.d/*.toml"]

[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = ${tomlString(sandboxImage)}

[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
  runtime_type = "io.containerd.runc.v2"

[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
  SystemdCgroup = true
`;
}

/** A basic string of TOML, whose escapes are those of JSON; only DEL needs one more. */
function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}
