// The part of Reflect's metadata proposal that the container inside @peculiar/x509 asks for while it loads.
const metadata = new WeakMap<object, Map<unknown, unknown>>();

function get(key: unknown, target: object): unknown {
  return metadata.get(target)?.get(key);
}

Object.assign(Reflect, {
  getMetadata: get,
  getOwnMetadata: get,
  defineMetadata(key: unknown, value: unknown, target: object): void {
    metadata.set(target, new Map([...(metadata.get(target) ?? []), [key, value]]));
  },
});
