import type { Plugin } from 'esbuild';

/**
 * Leaves out what zod needs to write JSON Schemas, which only the documentation has: a fifth of it, loaded at each cold start. What
 * remains is what zod calls while it makes a schema.
 */
export const withoutJsonSchemas: Plugin = {
  name: 'without-json-schemas',
  setup({ onLoad }) {
    onLoad({ filter: /zod[\\/]v4[\\/]core[\\/]to-json-schema\.js$/ }, () => ({ contents: jsonSchemaMethods }));
    onLoad({ filter: /zod[\\/]v4[\\/]core[\\/]json-schema-processors\.js$/ }, () => ({
      contents: 'module.exports = {};',
    }));
  },
};

const jsonSchemaMethods = `
const unavailable = () => () => { throw new Error('The functions write no JSON Schemas.'); };
export const createToJSONSchemaMethod = unavailable;
export const createStandardJSONSchemaMethod = unavailable;
export const initializeContext = unavailable, extractDefs = unavailable, finalize = unavailable;
export const handleUnrepresentable = unavailable, processSchema = unavailable;
`;
