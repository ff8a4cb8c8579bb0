// The contract over gRPC.
import { testContract } from "./cases/contract.ts";

testContract("gRPC");
