// The contract over REST, also through a gateway of its own.
import { restTransports, testContract } from "./cases/contract.ts";

testContract(restTransports);
