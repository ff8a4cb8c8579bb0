// The contract over REST.
import { testContract } from "./cases/contract.ts";

testContract("REST");
