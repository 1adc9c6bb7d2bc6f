// biome-ignore-all format: generated
/**
 * The migrations of drizzle/sqlite as code, so that a bundle needs no files beside it. Do not edit: change
 * schema.ts, then run `npx drizzle-kit generate && npx vitest run test/store/migrations.test.ts -u`.
 */
export const migrations: readonly { tag: string; statements: readonly string[] }[] = [
  {
    "tag": "0000_init",
    "statements": [
      "CREATE TABLE `journal` (\n\t`request_id` text NOT NULL,\n\t`seq` integer NOT NULL,\n\t`note` integer NOT NULL,\n\t`event_id` text,\n\t`type` text NOT NULL,\n\t`state` text NOT NULL,\n\t`at` integer NOT NULL,\n\t`process` text NOT NULL,\n\t`payload` text NOT NULL,\n\tPRIMARY KEY(`request_id`, `seq`, `note`),\n\tFOREIGN KEY (`request_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE cascade,\n\tCONSTRAINT \"journal_state\" CHECK(\"journal\".\"state\" in ('claimed', 'streaming', 'recovery_required', 'unknown_outcome', 'completed', 'refused', 'incomplete', 'failed', 'abandoned')),\n\tCONSTRAINT \"journal_event_id\" CHECK((\"journal\".\"note\" = 0) = (\"journal\".\"event_id\" is not null))\n);",
      "CREATE UNIQUE INDEX `journal_event` ON `journal` (`event_id`);",
      "CREATE TABLE `meta` (\n\t`key` text PRIMARY KEY NOT NULL,\n\t`value` text NOT NULL\n);",
      "CREATE TABLE `requests` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`tenant` text DEFAULT 'local' NOT NULL,\n\t`session_id` text NOT NULL,\n\t`turn` integer NOT NULL,\n\t`tool` text NOT NULL,\n\t`provider` text NOT NULL,\n\t`endpoint` text NOT NULL,\n\t`state` text NOT NULL,\n\t`machine_version` integer NOT NULL,\n\t`version` integer NOT NULL,\n\t`epoch` integer NOT NULL,\n\t`owner` text,\n\t`lease_until` integer,\n\t`response_id` text,\n\t`reserved_bytes` integer NOT NULL,\n\t`created_at` integer NOT NULL,\n\t`updated_at` integer NOT NULL,\n\t`finished_at` integer,\n\t`delivered_at` integer,\n\t`pruned_at` integer,\n\t`snapshot` text NOT NULL,\n\t`settings` text NOT NULL,\n\t`whole_digest` text NOT NULL,\n\t`field_digests` text NOT NULL,\n\t`usage` text,\n\tFOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade,\n\tCONSTRAINT \"requests_state\" CHECK(\"requests\".\"state\" in ('claimed', 'streaming', 'recovery_required', 'unknown_outcome', 'completed', 'refused', 'incomplete', 'failed', 'abandoned')),\n\tCONSTRAINT \"requests_finished\" CHECK((\"requests\".\"finished_at\" is not null) = (\"requests\".\"state\" in ('completed', 'refused', 'incomplete', 'failed', 'abandoned'))),\n\tCONSTRAINT \"requests_lease\" CHECK((\"requests\".\"owner\" is null) = (\"requests\".\"lease_until\" is null))\n);",
      "CREATE UNIQUE INDEX `requests_unfinished` ON `requests` (`session_id`) WHERE \"requests\".\"finished_at\" is null;",
      "CREATE UNIQUE INDEX `requests_turn` ON `requests` (`session_id`,`turn`);",
      "CREATE UNIQUE INDEX `requests_response` ON `requests` (`provider`,`endpoint`,`response_id`) WHERE \"requests\".\"response_id\" is not null;",
      "CREATE INDEX `requests_equal` ON `requests` (`whole_digest`);",
      "CREATE INDEX `requests_newest` ON `requests` (`created_at`,`id`);",
      "CREATE INDEX `requests_undelivered` ON `requests` (`created_at`,`id`) WHERE \"requests\".\"finished_at\" is not null and \"requests\".\"delivered_at\" is null;",
      "CREATE TABLE `results` (\n\t`request_id` text PRIMARY KEY NOT NULL,\n\t`bytes` integer NOT NULL,\n\t`outcome` text NOT NULL,\n\tFOREIGN KEY (`request_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE cascade\n);",
      "CREATE TABLE `sessions` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`tenant` text DEFAULT 'local' NOT NULL,\n\t`name` text,\n\t`name_key` text,\n\t`provider` text NOT NULL,\n\t`defaults` text NOT NULL,\n\t`last_response_id` text,\n\t`last_response_at` integer,\n\t`version` integer NOT NULL,\n\t`created_at` integer NOT NULL,\n\t`updated_at` integer NOT NULL,\n\t`instructions_bytes` integer NOT NULL,\n\t`instructions` text,\n\tCONSTRAINT \"sessions_name_key\" CHECK((\"sessions\".\"name\" is null) = (\"sessions\".\"name_key\" is null))\n);",
      "CREATE UNIQUE INDEX `sessions_name` ON `sessions` (`name_key`,`tenant`) WHERE \"sessions\".\"name_key\" is not null;",
      "CREATE TABLE `totals` (\n\t`tenant` text PRIMARY KEY DEFAULT 'local' NOT NULL,\n\t`sessions` integer NOT NULL,\n\t`requests` integer NOT NULL,\n\t`live` integer NOT NULL,\n\t`content_bytes` integer NOT NULL\n);"
    ]
  },
  {
    "tag": "0001_questions",
    "statements": [
      "CREATE TABLE `questions` (\n\t`request_id` text PRIMARY KEY NOT NULL,\n\t`bytes` integer NOT NULL,\n\t`message` text NOT NULL,\n\t`prompt` text,\n\tFOREIGN KEY (`request_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE cascade\n);"
    ]
  },
  {
    "tag": "0002_ledger",
    "statements": [
      "ALTER TABLE `requests` ADD `service_tier` text;",
      "ALTER TABLE `requests` ADD `replays` integer DEFAULT 0 NOT NULL;"
    ]
  }
];
