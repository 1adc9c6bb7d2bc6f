CREATE TABLE `journal` (
	`request_id` text NOT NULL,
	`seq` integer NOT NULL,
	`note` integer NOT NULL,
	`event_id` text,
	`type` text NOT NULL,
	`state` text NOT NULL,
	`at` integer NOT NULL,
	`process` text NOT NULL,
	`payload` text NOT NULL,
	PRIMARY KEY(`request_id`, `seq`, `note`),
	FOREIGN KEY (`request_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "journal_state" CHECK("journal"."state" in ('claimed', 'streaming', 'recovery_required', 'unknown_outcome', 'completed', 'refused', 'incomplete', 'failed', 'abandoned')),
	CONSTRAINT "journal_event_id" CHECK(("journal"."note" = 0) = ("journal"."event_id" is not null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `journal_event` ON `journal` (`event_id`);--> statement-breakpoint
CREATE TABLE `meta` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `requests` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant` text DEFAULT 'local' NOT NULL,
	`session_id` text NOT NULL,
	`turn` integer NOT NULL,
	`tool` text NOT NULL,
	`provider` text NOT NULL,
	`endpoint` text NOT NULL,
	`state` text NOT NULL,
	`machine_version` integer NOT NULL,
	`version` integer NOT NULL,
	`epoch` integer NOT NULL,
	`owner` text,
	`lease_until` integer,
	`response_id` text,
	`reserved_bytes` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`finished_at` integer,
	`delivered_at` integer,
	`pruned_at` integer,
	`snapshot` text NOT NULL,
	`settings` text NOT NULL,
	`whole_digest` text NOT NULL,
	`field_digests` text NOT NULL,
	`usage` text,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "requests_state" CHECK("requests"."state" in ('claimed', 'streaming', 'recovery_required', 'unknown_outcome', 'completed', 'refused', 'incomplete', 'failed', 'abandoned')),
	CONSTRAINT "requests_finished" CHECK(("requests"."finished_at" is not null) = ("requests"."state" in ('completed', 'refused', 'incomplete', 'failed', 'abandoned'))),
	CONSTRAINT "requests_lease" CHECK(("requests"."owner" is null) = ("requests"."lease_until" is null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `requests_unfinished` ON `requests` (`session_id`) WHERE "requests"."finished_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX `requests_turn` ON `requests` (`session_id`,`turn`);--> statement-breakpoint
CREATE UNIQUE INDEX `requests_response` ON `requests` (`provider`,`endpoint`,`response_id`) WHERE "requests"."response_id" is not null;--> statement-breakpoint
CREATE INDEX `requests_equal` ON `requests` (`whole_digest`);--> statement-breakpoint
CREATE INDEX `requests_newest` ON `requests` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `requests_undelivered` ON `requests` (`created_at`,`id`) WHERE "requests"."finished_at" is not null and "requests"."delivered_at" is null;--> statement-breakpoint
CREATE TABLE `results` (
	`request_id` text PRIMARY KEY NOT NULL,
	`bytes` integer NOT NULL,
	`outcome` text NOT NULL,
	FOREIGN KEY (`request_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant` text DEFAULT 'local' NOT NULL,
	`name` text,
	`name_key` text,
	`provider` text NOT NULL,
	`defaults` text NOT NULL,
	`last_response_id` text,
	`last_response_at` integer,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`instructions_bytes` integer NOT NULL,
	`instructions` text,
	CONSTRAINT "sessions_name_key" CHECK(("sessions"."name" is null) = ("sessions"."name_key" is null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_name` ON `sessions` (`name_key`,`tenant`) WHERE "sessions"."name_key" is not null;--> statement-breakpoint
CREATE TABLE `totals` (
	`tenant` text PRIMARY KEY DEFAULT 'local' NOT NULL,
	`sessions` integer NOT NULL,
	`requests` integer NOT NULL,
	`live` integer NOT NULL,
	`content_bytes` integer NOT NULL
);
