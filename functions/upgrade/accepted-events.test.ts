import { testAcceptedEvents } from '../../shared/contract/testing/test-accepted-events.ts';
import { acceptedEvents } from './accepted-events.ts';

testAcceptedEvents('upgrade', acceptedEvents);
