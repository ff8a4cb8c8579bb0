// The contract over gRPC and Connect. Beside the one over REST, so that both can run at a time.
import { rpcDoors, testContract } from "./cases/contract.ts";

testContract(rpcDoors);
