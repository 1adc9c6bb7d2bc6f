CREATE TABLE `questions` (
	`request_id` text PRIMARY KEY NOT NULL,
	`bytes` integer NOT NULL,
	`message` text NOT NULL,
	`prompt` text,
	FOREIGN KEY (`request_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE cascade
);
