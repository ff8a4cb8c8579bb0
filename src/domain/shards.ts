// The shards that the rows of partners lie on.

/** All shards as they are now. Throws `unavailable` before they are known. */
export type Shards<Part> = () => readonly Part[];
