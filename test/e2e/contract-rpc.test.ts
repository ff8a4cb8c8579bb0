// The contract over gRPC and Connect. Beside the one over REST, so that both can run at a time.
import { rpcTransports, testContract } from "./cases/contract.ts";

testContract(rpcTransports);
