import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    reporters: ['default', './test/closing-line.ts'],
    // Stopping a control plane takes seconds, on a busy machine more than vitest's ten.
    teardownTimeout: 60_000,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['**/*.test.ts'],
          exclude: ['**/node_modules/**', 'test/**'],
        },
      },
      {
        test: {
          name: 'control-plane',
          include: ['test/**/*.test.ts'],
          exclude: ['**/*.alone.test.ts', 'test/life/**', 'test/openstack/**', 'test/e2e/**'],
          globalSetup: ['test/env/global-setup.ts'],
          // After the unit tests: each file may run an API server and managers of its own.
          sequence: { groupOrder: 1 },
          maxWorkers: 2,
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'alone',
          include: ['test/**/*.alone.test.ts'],
          globalSetup: ['test/env/global-setup.ts'],
          // What loads the machine, or waits for times, has it for itself.
          sequence: { groupOrder: 2 },
          maxWorkers: 1,
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          // Long lives of whole clusters; npm test leaves them out.
          name: 'life',
          include: ['test/life/**/*.test.ts'],
          globalSetup: ['test/env/global-setup.ts'],
          sequence: { groupOrder: 3 },
          maxWorkers: 1,
          testTimeout: 900_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          // Real OpenStack APIs beside the simulated ones; npm test leaves them out.
          name: 'openstack',
          include: ['test/openstack/**/*.test.ts'],
          globalSetup: ['test/openstack/global-setup.ts'],
          sequence: { groupOrder: 4 },
          maxWorkers: 1,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          // Real Magnum over everything else; npm test leaves it out.
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          sequence: { groupOrder: 5 },
          maxWorkers: 1,
          testTimeout: 900_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
});
