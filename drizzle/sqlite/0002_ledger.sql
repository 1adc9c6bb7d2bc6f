ALTER TABLE `requests` ADD `service_tier` text;--> statement-breakpoint
ALTER TABLE `requests` ADD `replays` integer DEFAULT 0 NOT NULL;