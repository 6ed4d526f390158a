import { versionedUrl } from '../../shared/openstack/catalog.ts';
import { onBothClouds } from './both-clouds.ts';
import type { CloudUnderTest } from './cloud-under-test.ts';

const none = '33333333-3333-4333-8333-333333333333';

/** What the service answers to a GET of the user demo. */
function get(service: string, path: string) {
  return ({ demo }: CloudUnderTest) => demo.send({ service, method: 'GET', path });
}

/** Status and body that a service gives to a token which is none. */
function withBadToken(service: string, path: string, token: string | undefined) {
  return async ({ demo }: CloudUnderTest) => {
    const headers = { accept: 'application/json', ...(token === undefined ? {} : { 'x-auth-token': token }) };
    const answer = await fetch(`${versionedUrl(await demo.endpoint(service), service)}${path}`, { headers });
    const challenge = answer.headers.get('www-authenticate')?.replace(/http:[^"]+/, '<url>');
    return { status: answer.status, challenge, body: await answer.json() };
  };
}

const message = 'The request you have made requires authentication.';
/** Glance refuses by itself, the others leave it to keystonemiddleware, which words it as Keystone does. */
const glanceWords =
  'This server could not verify that you are authorized to access the document you requested. Either you supplied the ' +
  'wrong credentials (e.g., bad password), or your browser does not understand how to supply the credentials required.';

function refused(service: string) {
  const glance = { code: '401 Unauthorized', title: 'Unauthorized', message: `${glanceWords}<br /><br />\n\n\n` };
  const body = service === 'image' ? glance : { error: { code: 401, title: 'Unauthorized', message } };
  return { status: 401, challenge: 'Keystone uri="<url>"', body };
}

const lists = [
  ['identity', '/v3/users'],
  ['compute', '/flavors/detail'],
  ['image', '/images'],
  ['network', '/networks'],
  ['block-storage', '/types'],
] as const;

onBothClouds([
  ...lists.map(([service, path]) => ({
    title: `${service} refuses a request without a token`,
    ask: withBadToken(service, path, undefined),
    answer: refused(service),
  })),
  ...lists.map(([service, path]) => ({
    title: `${service} refuses a token that is none`,
    ask: withBadToken(service, path, 'gAAAAABnone'),
    answer: refused(service),
  })),
  {
    title: 'a session with a token that is none',
    ask: ({ sessionWith }) => sessionWith({ kind: 'token', token: 'gAAAAABnone' }).authentication(),
    answer:
      'AuthenticationError authentication_failed 401: OpenStack identity answered 401: The request you have made requires authentication.',
  },
  {
    title: 'a session with a wrong password',
    ask: ({ sessionWith }) => sessionWith({ kind: 'password', user: 'demo', password: 'wrong' }).authentication(),
    answer:
      'AuthenticationError authentication_failed 401: OpenStack identity answered 401: The request you have made requires authentication.',
  },
  {
    title: 'a flavor that is not there',
    ask: get('compute', '/flavors/none'),
    answer: 'NotFoundError not_found 404: OpenStack compute answered 404: Flavor none could not be found.',
  },
  {
    title: 'a keypair that is not there',
    ask: get('compute', '/os-keypairs/none'),
    answer: 'NotFoundError not_found 404: OpenStack compute answered 404: Keypair none not found for user <id>.',
  },
  {
    title: 'a server that is not there',
    ask: get('compute', `/servers/${none}`),
    answer: 'NotFoundError not_found 404: OpenStack compute answered 404: Instance <id> could not be found.',
  },
  {
    title: 'a server group that is not there',
    ask: get('compute', `/os-server-groups/${none}`),
    answer: 'NotFoundError not_found 404: OpenStack compute answered 404: Instance group <id> could not be found.',
  },
  {
    title: 'a path that Nova does not have',
    ask: get('compute', '/none'),
    answer: 'NotFoundError not_found 404: OpenStack compute answered 404: The resource could not be found.',
  },
  {
    title: 'an image that is not there',
    ask: get('image', `/images/${none}`),
    answer: 'NotFoundError not_found 404: OpenStack image answered 404: No image found with ID <id>.',
  },
  {
    title: 'an image id that is none',
    ask: get('image', '/images/none'),
    answer: 'NotFoundError not_found 404: OpenStack image answered 404: No image found with ID none.',
  },
  {
    title: 'a path that Glance does not have',
    ask: get('image', '/none'),
    answer: 'NotFoundError not_found 404: OpenStack image answered 404: The resource could not be found.',
  },
  {
    title: 'a network that is not there',
    ask: get('network', `/networks/${none}`),
    answer: 'NotFoundError not_found 404: OpenStack network answered 404: Network <id> could not be found.',
  },
  {
    title: 'a subnet that is not there',
    ask: get('network', `/subnets/${none}`),
    answer: 'NotFoundError not_found 404: OpenStack network answered 404: Subnet <id> could not be found.',
  },
  {
    title: 'a floating IP that is not there',
    ask: get('network', `/floatingips/${none}`),
    answer: 'NotFoundError not_found 404: OpenStack network answered 404: Floating IP <id> could not be found.',
  },
  {
    title: 'a path that Neutron does not have',
    ask: get('network', '/none'),
    answer: 'NotFoundError not_found 404: OpenStack network answered 404: The resource could not be found.',
  },
  {
    title: 'a volume type that is not there',
    ask: get('block-storage', `/types/${none}`),
    answer: 'NotFoundError not_found 404: OpenStack block-storage answered 404: Volume type <id> could not be found.',
  },
  {
    title: 'a path that Cinder does not have',
    ask: get('block-storage', '/none'),
    answer: 'NotFoundError not_found 404: OpenStack block-storage answered 404: The resource could not be found.',
  },
  {
    title: 'an unknown filter of networks',
    ask: ({ demo }) => demo.send({ service: 'network', method: 'GET', path: '/networks', query: { none: 'x' } }),
    answer:
      "BadRequestError bad_request 400: OpenStack network answered 400: ['none'] is invalid attribute for filtering.",
  },
  {
    title: 'a marker that is none, of flavors',
    ask: ({ demo }) =>
      demo.send({ service: 'compute', method: 'GET', path: '/flavors/detail', query: { marker: 'none' } }),
    answer: 'BadRequestError bad_request 400: OpenStack compute answered 400: marker [none] not found.',
  },
  {
    title: 'a marker that is none, of images',
    ask: ({ demo }) => demo.send({ service: 'image', method: 'GET', path: '/images', query: { marker: none } }),
    answer: 'BadRequestError bad_request 400: OpenStack image answered 400: No image found with ID <id>.',
  },
  {
    title: 'a marker that is none, of networks',
    ask: ({ demo }) =>
      demo.send({ service: 'network', method: 'GET', path: '/networks', query: { marker: none, limit: '2' } }),
    answer: 'NotFoundError not_found 404: OpenStack network answered 404: Network <id> could not be found.',
  },
  {
    title: 'a limit that is no number, of flavors',
    ask: ({ demo }) => demo.send({ service: 'compute', method: 'GET', path: '/flavors/detail', query: { limit: 'x' } }),
    answer:
      "BadRequestError bad_request 400: OpenStack compute answered 400: Invalid input for query parameters limit. Value: x. 'x' does not match '^[0-9]*$'.",
  },
  {
    title: 'a limit that is no number, of images',
    ask: ({ demo }) => demo.send({ service: 'image', method: 'GET', path: '/images', query: { limit: 'x' } }),
    answer: 'BadRequestError bad_request 400: OpenStack image answered 400: limit param must be an integer.',
  },
  {
    title: 'a limit that is no number, of server groups',
    ask: ({ demo }) =>
      demo.send({ service: 'compute', method: 'GET', path: '/os-server-groups', query: { limit: 'x' } }),
    answer:
      "BadRequestError bad_request 400: OpenStack compute answered 400: Invalid input for query parameters limit. Value: x. 'x' does not match '^[0-9]*$'.",
  },
  {
    title: 'an unknown operator before a colon of an image name',
    ask: ({ demo }) => demo.send({ service: 'image', method: 'GET', path: '/images', query: { name: 'like:x' } }),
    answer:
      "BadRequestError bad_request 400: OpenStack image answered 400: Unable to filter by unknown operator 'like'.",
  },
  {
    title: 'a microversion that is none',
    ask: ({ demo }) => demo.send({ service: 'compute', method: 'GET', path: '/flavors/detail', microversion: '9.1' }),
    answer:
      'BadRequestError bad_request 406: OpenStack compute answered 406: Version 9.1 is not supported by the API. Minimum is 2.1 and maximum is 2.104.',
  },
]);
