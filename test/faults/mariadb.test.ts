// Every fault on a single server of MariaDB.
import { proveFaults } from "./fault.ts";
import { faults } from "./faults.ts";
import { startMariadb } from "./support/database/mariadb.ts";

proveFaults("MariaDB", startMariadb, faults);
