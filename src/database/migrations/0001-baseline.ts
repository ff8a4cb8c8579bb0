// The schema of 1.0.0. MySQL commits each statement by itself, so every one can be run again. Names that partners give are
// VARBINARY: default collations would merge `Bob`, `bob` and `bob ` into one person.

/** Tables without rows of partners. */
export const globalTables: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS partners (
    id BINARY(16) NOT NULL PRIMARY KEY,
    name VARCHAR(255) CHARACTER SET utf8mb4 NOT NULL,
    internal BOOLEAN NOT NULL,
    created_at DATETIME(3) NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS clients (
    id BINARY(16) NOT NULL PRIMARY KEY,
    partner_id BINARY(16) NOT NULL,
    name VARCHAR(255) CHARACTER SET utf8mb4 NOT NULL,
    scopes VARCHAR(1000) CHARACTER SET ascii NOT NULL,
    disabled_at DATETIME(3) NULL,
    created_at DATETIME(3) NOT NULL,
    last_used_at DATETIME(3) NULL,
    KEY clients_partner (partner_id)
  )`,
  `CREATE TABLE IF NOT EXISTS client_secrets (
    hash BINARY(32) NOT NULL PRIMARY KEY,
    client_id BINARY(16) NOT NULL,
    created_at DATETIME(3) NOT NULL,
    KEY client_secrets_client (client_id)
  )`,
  `CREATE TABLE IF NOT EXISTS access_tokens (
    hash BINARY(32) NOT NULL PRIMARY KEY,
    client_id BINARY(16) NOT NULL,
    scopes VARCHAR(1000) CHARACTER SET ascii NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    KEY access_tokens_expiry (expires_at)
  )`,
  // The clocks of test twins that are ahead. Sessions of such a twin expire by its clock.
  `CREATE TABLE IF NOT EXISTS test_clocks (
    partner_id BINARY(16) NOT NULL PRIMARY KEY,
    ahead_ms BIGINT NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS assessments (
    id INT NOT NULL PRIMARY KEY,
    product VARBINARY(63) NOT NULL,
    version INT NOT NULL,
    definition LONGBLOB NOT NULL,
    published_at DATETIME(3) NOT NULL,
    UNIQUE KEY assessments_version (product, version)
  )`,
  `CREATE TABLE IF NOT EXISTS signing_keys (
    id TINYINT NOT NULL PRIMARY KEY,
    private_key VARBINARY(255) NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS norm_pool_partners (
    partner_id BINARY(16) NOT NULL PRIMARY KEY,
    takes_part_since DATETIME(3) NULL
  )`,
  // Quarters are counted from the year 0.
  `CREATE TABLE IF NOT EXISTS norm_pool_releases (
    assessment_id INT NOT NULL,
    language VARBINARY(35) NOT NULL,
    number TINYINT NOT NULL,
    quarter INT NOT NULL,
    released_at DATETIME(3) NOT NULL,
    histograms MEDIUMBLOB NOT NULL,
    PRIMARY KEY (assessment_id, language, number),
    UNIQUE KEY norm_pool_releases_quarter (assessment_id, language, quarter)
  )`,
  `CREATE TABLE IF NOT EXISTS norm_pool_quarters (
    quarter INT NOT NULL PRIMARY KEY,
    decided_at DATETIME(3) NOT NULL
  )`,
  // Records are only ever added, each after the last one of its chain; anchors hold the heads of the chains.
  `CREATE TABLE IF NOT EXISTS audit_log (
    writer BINARY(16) NOT NULL,
    sequence BIGINT UNSIGNED NOT NULL,
    at DATETIME(3) NOT NULL,
    partner_id BINARY(16) NULL,
    client_id BINARY(16) NULL,
    action VARCHAR(48) CHARACTER SET ascii NOT NULL,
    session_id BINARY(16) NULL,
    target_id BINARY(16) NULL,
    request_id VARCHAR(128) CHARACTER SET ascii NOT NULL,
    outcome VARCHAR(48) CHARACTER SET ascii NOT NULL,
    hash BINARY(32) NOT NULL,
    PRIMARY KEY (writer, sequence),
    KEY audit_log_partner (partner_id, at),
    KEY audit_log_session (session_id, at)
  )`,
  `CREATE TABLE IF NOT EXISTS audit_anchors (
    sequence BIGINT UNSIGNED NOT NULL PRIMARY KEY,
    at DATETIME(3) NOT NULL,
    content MEDIUMBLOB NOT NULL,
    hash BINARY(32) NOT NULL,
    key_id BINARY(4) NULL,
    signature BINARY(32) NULL
  )`,
  // The process that runs a background job which runs in one process at a time.
  `CREATE TABLE IF NOT EXISTS job_leases (
    name VARBINARY(64) NOT NULL PRIMARY KEY,
    holder BINARY(16) NOT NULL,
    expires_at DATETIME(3) NOT NULL
  )`,
];

/** Tables of partners: of a divided database each shard has them. */
export const partnerTables: readonly string[] = [
  // The help that people can get, and the sites that may show the pages in a frame: origins separated by spaces. Ten of them
  // have 2,679 characters at most.
  `CREATE TABLE IF NOT EXISTS partner_brandings (
    partner_id BINARY(16) NOT NULL PRIMARY KEY,
    display_name VARCHAR(60) CHARACTER SET utf8mb4 NULL,
    logo_url VARBINARY(16384) NULL,
    accent_color CHAR(7) CHARACTER SET ascii NULL,
    support_text VARCHAR(300) CHARACTER SET utf8mb4 NULL,
    frame_ancestors VARCHAR(2700) CHARACTER SET ascii NOT NULL,
    comparison ENUM('none', 'others') NOT NULL DEFAULT 'none',
    offer_long_form BOOLEAN NOT NULL DEFAULT FALSE
  )`,
  // `unpublished` has the events of the session that are not in the log yet, `unpublished_since` says from
  // when on the first of them may be published. `announce_at` is when a job has to announce its expiry, or, of a completed one, the
  // day of the small step; the state of a session follows from the other columns, whether the job has run or not.
  //
  // `intentions` and `intentions_due` count the events of the small step: each has its own id, also after the step was removed.
  //
  // Completed sessions without results are found by one byte of the results: indexes on virtual columns have lost rows in
  // MariaDB (MDEV-38140). `sessions_partner` contains nothing else, so that a page finds its end without reading the rows.
  `CREATE TABLE IF NOT EXISTS sessions (
    id BINARY(16) NOT NULL PRIMARY KEY,
    partner_id BINARY(16) NOT NULL,
    external_id VARBINARY(1020) NOT NULL,
    product VARBINARY(63) NOT NULL,
    assessment_id INT NOT NULL,
    group_id BINARY(16) NULL,
    continues BINARY(16) NULL,
    mode ENUM('headless', 'hosted') NOT NULL,
    revision INT NOT NULL,
    created_at DATETIME(3) NOT NULL,
    expires_at DATETIME(3) NULL,
    announce_at DATETIME(3) NULL,
    expirations INT UNSIGNED NOT NULL DEFAULT 0,
    cancelled_at DATETIME(3) NULL,
    completed_at DATETIME(3) NULL,
    answers VARBINARY(999) NOT NULL,
    first_answer_at DATETIME(3) NULL,
    last_answer_at DATETIME(3) NULL,
    answer_calls INT NULL,
    first_call_answers INT NULL,
    shown_language VARCHAR(35) CHARACTER SET ascii NULL,
    answers_deleted_at DATETIME(3) NULL,
    results MEDIUMBLOB NULL,
    results_deleted_at DATETIME(3) NULL,
    redirect_url VARBINARY(8192) NULL,
    locale VARCHAR(35) CHARACTER SET ascii NULL,
    person_access ENUM('none', 'after_completion') NOT NULL DEFAULT 'none',
    unpublished VARBINARY(16000) NOT NULL DEFAULT '',
    unpublished_since DATETIME(3) NULL,
    intentions INT UNSIGNED NOT NULL DEFAULT 0,
    intentions_due INT UNSIGNED NOT NULL DEFAULT 0,
    idempotency_key VARBINARY(255) NULL,
    request_hash BINARY(32) NULL,
    CONSTRAINT sessions_unpublished_length CHECK (LENGTH(unpublished) <= 15000),
    UNIQUE KEY sessions_idempotency (partner_id, idempotency_key),
    KEY sessions_unscored (results(1), completed_at, id),
    KEY sessions_unpublished (unpublished_since),
    KEY sessions_partner (partner_id, id),
    KEY sessions_person (partner_id, external_id, id),
    KEY sessions_announce (announce_at, partner_id),
    KEY sessions_group (group_id)
  )`,
  // `resume_after` is the last session that was checked; null: the check reached the end.
  `CREATE TABLE IF NOT EXISTS session_policies (
    partner_id BINARY(16) NOT NULL,
    mode VARBINARY(8) NOT NULL,
    expires_after_days INT NULL,
    delete_completed_after_days INT NULL,
    delete_open_after_days INT NULL,
    delete_answers_after_days INT NULL,
    delete_results_after_days INT NULL,
    resume_after BINARY(16) NULL,
    PRIMARY KEY (partner_id, mode)
  )`,
  `CREATE TABLE IF NOT EXISTS hosted_links (
    hash BINARY(32) NOT NULL PRIMARY KEY,
    partner_id BINARY(16) NOT NULL,
    session_id BINARY(16) NOT NULL,
    created_at DATETIME(3) NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    KEY hosted_links_session (session_id),
    KEY hosted_links_expiry (expires_at)
  )`,
  `CREATE TABLE IF NOT EXISTS hosted_browser_sessions (
    hash BINARY(32) NOT NULL PRIMARY KEY,
    partner_id BINARY(16) NOT NULL,
    session_id BINARY(16) NOT NULL,
    created_at DATETIME(3) NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    KEY hosted_browser_sessions_session (session_id),
    KEY hosted_browser_sessions_expiry (expires_at)
  )`,
  // `card` is the token of a picture that the person shares, whom the report's page shows its address again; others are links
  // to the report, whose tokens are never stored.
  `CREATE TABLE IF NOT EXISTS report_links (
    hash BINARY(32) NOT NULL PRIMARY KEY,
    partner_id BINARY(16) NOT NULL,
    session_id BINARY(16) NOT NULL,
    locale VARCHAR(35) CHARACTER SET ascii NULL,
    name VARCHAR(60) CHARACTER SET utf8mb4 NULL,
    day CHAR(10) CHARACTER SET ascii NULL,
    time_zone VARCHAR(64) CHARACTER SET ascii NULL,
    card VARCHAR(128) CHARACTER SET ascii NULL,
    created_at DATETIME(3) NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    KEY report_links_session (session_id),
    KEY report_links_expiry (expires_at)
  )`,
  `CREATE TABLE IF NOT EXISTS report_browser_sessions (
    hash BINARY(32) NOT NULL PRIMARY KEY,
    partner_id BINARY(16) NOT NULL,
    session_id BINARY(16) NOT NULL,
    link_hash BINARY(32) NULL,
    locale VARCHAR(35) CHARACTER SET ascii NULL,
    created_at DATETIME(3) NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    KEY report_browser_sessions_session (session_id),
    KEY report_browser_sessions_expiry (expires_at)
  )`,
  // A view is stored once per minute and link, so that reloading does not fill the table.
  `CREATE TABLE IF NOT EXISTS report_views (
    session_id BINARY(16) NOT NULL,
    partner_id BINARY(16) NOT NULL,
    viewed_at DATETIME(3) NOT NULL,
    link_hash VARBINARY(32) NOT NULL,
    PRIMARY KEY (session_id, viewed_at, link_hash)
  )`,
  `CREATE TABLE IF NOT EXISTS report_intentions (
    session_id BINARY(16) NOT NULL PRIMARY KEY,
    partner_id BINARY(16) NOT NULL,
    step VARCHAR(200) CHARACTER SET utf8mb4 NOT NULL,
    look_again_on CHAR(10) CHARACTER SET ascii NULL,
    set_at DATETIME(3) NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS event_outbox (
    resource_id BINARY(16) NOT NULL PRIMARY KEY,
    partner_id BINARY(16) NOT NULL,
    type TINYINT UNSIGNED NOT NULL,
    assessment_id INT NULL,
    occurred_at DATETIME(3) NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS events (
    position BIGINT UNSIGNED NOT NULL PRIMARY KEY,
    partner_id BINARY(16) NOT NULL,
    sequence BIGINT UNSIGNED NOT NULL,
    type TINYINT UNSIGNED NOT NULL,
    occurrence INT UNSIGNED NOT NULL DEFAULT 1,
    resource_id BINARY(16) NOT NULL,
    assessment_id INT NULL,
    mode ENUM('headless', 'hosted') NULL,
    occurred_at DATETIME(3) NOT NULL,
    recorded_at DATETIME(3) NOT NULL,
    UNIQUE KEY events_sequence (partner_id, sequence),
    UNIQUE KEY events_once (resource_id, type, occurrence)
  )`,
  `CREATE TABLE IF NOT EXISTS event_heads (
    partner_id BINARY(16) NOT NULL PRIMARY KEY,
    sequence BIGINT UNSIGNED NOT NULL,
    expired_sequence BIGINT UNSIGNED NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS event_position (
    id TINYINT NOT NULL PRIMARY KEY,
    position BIGINT UNSIGNED NOT NULL,
    expired_position BIGINT UNSIGNED NOT NULL
  )`,
  "INSERT IGNORE INTO event_position (id, position, expired_position) VALUES (1, 0, 0)",
  // Counts that name no person and no session. The mode of erased sessions is empty.
  `CREATE TABLE IF NOT EXISTS usage_days (
    partner_id BINARY(16) NOT NULL,
    day DATE NOT NULL,
    mode VARBINARY(8) NOT NULL,
    created INT UNSIGNED NOT NULL,
    started INT UNSIGNED NOT NULL,
    completed INT UNSIGNED NOT NULL,
    cancelled INT UNSIGNED NOT NULL,
    expired INT UNSIGNED NOT NULL,
    erased INT UNSIGNED NOT NULL,
    PRIMARY KEY (partner_id, day, mode)
  )`,
  // `due_at` is null while there is nothing to do. Nothing is sent to the endpoint until `paused_until`. `types` has a byte for
  // each type, its code. Events up to `sequence` have a delivery or need none any more. `last_attempt` counts its attempts;
  // `last_answered`: whether the last one was answered.
  `CREATE TABLE IF NOT EXISTS webhook_endpoints (
    id BINARY(16) NOT NULL PRIMARY KEY,
    partner_id BINARY(16) NOT NULL,
    url VARBINARY(2048) NOT NULL,
    description VARCHAR(255) CHARACTER SET utf8mb4 NULL,
    types VARBINARY(255) NOT NULL,
    include_external_id BOOLEAN NOT NULL,
    include_names BOOLEAN NOT NULL DEFAULT FALSE,
    revision INT NOT NULL,
    disabled_reason ENUM('partner', 'operator', 'gone', 'failing') NULL,
    created_at DATETIME(3) NOT NULL,
    sequence BIGINT UNSIGNED NOT NULL,
    last_attempt BIGINT UNSIGNED NOT NULL DEFAULT 0,
    failures INT NOT NULL,
    failing_since DATETIME(3) NULL,
    replay_next BIGINT UNSIGNED NULL,
    replay_until BIGINT UNSIGNED NULL,
    paused_until DATETIME(3) NULL,
    due_at DATETIME(3) NULL,
    claim_id BINARY(16) NULL,
    claim_ends_at DATETIME(3) NULL,
    last_answered VARBINARY(7) NOT NULL DEFAULT 'unknown',
    KEY webhook_endpoints_partner (partner_id, id),
    KEY webhook_endpoints_due (last_answered, due_at)
  )`,
  `CREATE TABLE IF NOT EXISTS webhook_secrets (
    id BINARY(16) NOT NULL PRIMARY KEY,
    partner_id BINARY(16) NOT NULL,
    endpoint_id BINARY(16) NOT NULL,
    key_id BINARY(4) NOT NULL,
    sealed VARBINARY(128) NOT NULL,
    created_at DATETIME(3) NOT NULL,
    expires_at DATETIME(3) NULL,
    KEY webhook_secrets_endpoint (endpoint_id)
  )`,
  // Of events that an endpoint has passed and not accepted. A delivery that waits for an earlier one of its resource has no time.
  `CREATE TABLE IF NOT EXISTS webhook_deliveries (
    endpoint_id BINARY(16) NOT NULL,
    partner_id BINARY(16) NOT NULL,
    sequence BIGINT UNSIGNED NOT NULL,
    resource_id BINARY(16) NOT NULL,
    type TINYINT UNSIGNED NOT NULL,
    attempts INT NOT NULL,
    next_at DATETIME(3) NULL,
    dead_at DATETIME(3) NULL,
    PRIMARY KEY (endpoint_id, sequence),
    KEY webhook_deliveries_resource (resource_id),
    KEY webhook_deliveries_next (endpoint_id, next_at)
  )`,
  `CREATE TABLE IF NOT EXISTS webhook_attempts (
    id BIGINT UNSIGNED NOT NULL,
    partner_id BINARY(16) NOT NULL,
    endpoint_id BINARY(16) NOT NULL,
    sequence BIGINT UNSIGNED NOT NULL,
    resource_id BINARY(16) NULL,
    type TINYINT UNSIGNED NULL,
    attempt INT NOT NULL,
    at DATETIME(3) NOT NULL,
    status SMALLINT NULL,
    error VARCHAR(32) CHARACTER SET ascii NULL,
    took_ms INT NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    PRIMARY KEY (endpoint_id, id),
    KEY webhook_attempts_resource (resource_id),
    KEY webhook_attempts_expiry (expires_at)
  )`,
  // The last run over the sessions of a partner: those that were completed by `counted_until` are counted.
  `CREATE TABLE IF NOT EXISTS norm_runs (
    partner_id BINARY(16) NOT NULL PRIMARY KEY,
    counted_until DATETIME(3) NOT NULL,
    sessions INT UNSIGNED NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS norm_numbers (
    partner_id BINARY(16) NOT NULL,
    assessment_id INT NOT NULL,
    language VARBINARY(35) NOT NULL,
    kind VARBINARY(8) NOT NULL,
    computed_at DATETIME(3) NOT NULL,
    people INT NOT NULL,
    numbers MEDIUMBLOB NOT NULL,
    PRIMARY KEY (partner_id, assessment_id, language, kind)
  )`,
  // Counts that a partner's people add to norms of all partners since it takes part.
  `CREATE TABLE IF NOT EXISTS norm_pool_counts (
    partner_id BINARY(16) NOT NULL,
    assessment_id INT NOT NULL,
    language VARBINARY(35) NOT NULL,
    since DATETIME(3) NOT NULL,
    counts MEDIUMBLOB NOT NULL,
    PRIMARY KEY (partner_id, assessment_id, language)
  )`,
  // `due_at` is when a job has to close the group; `joined` counts the sessions that ever joined, `joined_by_code` those by the
  // last join code. `held` is how many of the people in the numbers are not erased.
  `CREATE TABLE IF NOT EXISTS session_groups (
    id BINARY(16) NOT NULL PRIMARY KEY,
    partner_id BINARY(16) NOT NULL,
    product VARBINARY(63) NOT NULL,
    assessment_id INT NOT NULL,
    parent_id BINARY(16) NULL,
    label VARBINARY(320) NOT NULL,
    created_at DATETIME(3) NOT NULL,
    closes_at DATETIME(3) NULL,
    due_at DATETIME(3) NULL,
    closed_at DATETIME(3) NULL,
    joined INT NOT NULL,
    held INT NULL,
    withheld ENUM('too_few', 'disclosive', 'withdrawn') NULL,
    has_spread TINYINT(1) NOT NULL DEFAULT 0,
    numbers BLOB NULL,
    idempotency_key VARBINARY(255) NULL,
    request_hash BINARY(32) NULL,
    join_hash BINARY(32) NULL,
    join_redirect_url VARBINARY(8192) NULL,
    join_person_access ENUM('none', 'after_completion') NULL,
    join_expires_at DATETIME(3) NULL,
    join_max_sessions INT NULL,
    joined_by_code INT NULL,
    UNIQUE KEY session_groups_idempotency (partner_id, idempotency_key),
    KEY session_groups_list (partner_id, product, id),
    KEY session_groups_parent (partner_id, parent_id),
    KEY session_groups_due (due_at, partner_id),
    KEY session_groups_partner_due (partner_id, due_at),
    KEY session_groups_join (join_hash)
  )`,
  // Whose answers the numbers of a group include; `place` counts from 0 in each group. Copies of the same answers have one
  // `sheet_id`. Of an erased person that is all that stays: what readers may have computed does not end with them.
  `CREATE TABLE IF NOT EXISTS group_members (
    group_id BINARY(16) NOT NULL,
    place SMALLINT UNSIGNED NOT NULL,
    partner_id BINARY(16) NOT NULL,
    sheet_id BINARY(16) NOT NULL,
    session_id BINARY(16) NULL,
    person_id BINARY(16) NULL,
    answers_hash BINARY(16) NULL,
    PRIMARY KEY (group_id, place),
    KEY group_members_sheet (partner_id, sheet_id, group_id),
    KEY group_members_session (session_id, group_id),
    KEY group_members_person (partner_id, person_id, group_id),
    KEY group_members_answers (partner_id, answers_hash, group_id)
  )`,
  // A transaction that creates or closes a group of a partner, or changes the URL of a webhook endpoint, locks the partner's row.
  // `closings` counts groups that got numbers.
  `CREATE TABLE IF NOT EXISTS partner_locks (
    partner_id BINARY(16) NOT NULL PRIMARY KEY,
    group_count INT NOT NULL,
    closings INT NOT NULL DEFAULT 0
  )`,
];
