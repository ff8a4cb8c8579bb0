// Every fault on a single server of MySQL 9.7.
import { proveFaults } from "./fault.ts";
import { faults } from "./faults.ts";
import { startMysql } from "./support/database/mysql.ts";

proveFaults("MySQL 9.7", startMysql, faults);
