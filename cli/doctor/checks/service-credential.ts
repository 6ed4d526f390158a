import { type Check, failure, good, warning } from '../check.ts';
import { cloudFault, secretData, serviceCredential } from '../cloud-config.ts';

const file = 'clouds.yaml';
/** As the functions take it without OS_CLOUD. */
const cloud = 'default';

export const serviceCredentialCheck: Check = {
  id: 'service-credential',
  description: `The functions' own credential in the cloud, Secret \`${serviceCredential}\`, can be used to sign in. It is optional: without it the credential of each deleted cluster stays in Keystone ([configuration.md](configuration.md#the-functions-own-credential)).`,
  remedy: `Put a clouds.yaml with a cloud "${cloud}" into the Secret ${serviceCredential}, as docs/configuration.md says.`,
  needs: ['namespace'],
  async run(surroundings) {
    const data = await secretData(surroundings, serviceCredential);
    if (data === undefined) return [warning('The functions have no credential of their own in the cloud.')];
    const text = data[file];
    if (text === undefined) return [failure(`Secret ${serviceCredential} has no ${file}.`)];
    const fault = cloudFault(text, cloud);
    if (fault !== null) return [failure(`The ${file} of Secret ${serviceCredential} cannot be used: ${fault}.`)];
    return [good('The functions have a credential of their own in the cloud.')];
  },
};
