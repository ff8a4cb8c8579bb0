// A property that fails has noticed its mutant: looking for the shortest example takes a hundred times as long.
import fc from "fast-check";

fc.configureGlobal({ endOnFailure: true });
