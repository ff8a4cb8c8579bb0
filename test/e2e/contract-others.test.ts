// The contract over the transports that differ from REST or gRPC in their wire alone.
import { testContract } from "./cases/contract.ts";

testContract("REST through a gateway of its own", "Connect with JSON", "Connect with binary messages");
