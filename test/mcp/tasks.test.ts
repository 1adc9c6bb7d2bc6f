/** What a task says of a request, in every state that one can be in. */
import { describe, expect, test } from "vitest";
import { requestStates } from "../../machines/states.ts";
import type { RequestView } from "../../src/contract/views.ts";
import { delivered, toResult } from "../../src/mcp/reply.ts";
import { taskCreated, taskOf } from "../../src/mcp/tasks/task.ts";
import { aRequest, requestId } from "./support/views.ts";

const statuses = [...requestStates, "result_pruned"] as const;
const working = new Set<RequestView["status"]>(["claimed", "streaming"]);

describe.each(statuses)("a request that is %s", (status) => {
  const request = aRequest({ status, text: "as far as it got" });
  const task = taskOf(request);

  test("has the ids and times of its record, and a word for the person", () => {
    expect(task).toMatchObject({
      taskId: requestId,
      createdAt: request.timings.created_at,
      lastUpdatedAt: request.timings.updated_at,
    });
    expect(task.statusMessage).toMatch(/\w+.*\./);
  });

  test("has a result exactly where its task has ended with one, the one that tools/call has", () => {
    if (working.has(status)) expect(task.status).toBe("working");
    else if (status === "abandoned") expect(task.status).toBe("cancelled");
    else expect(task).toMatchObject({ status: "completed", result: toResult(delivered(request)) });
    expect("result" in task).toBe(task.status === "completed");
  });
});

test("an answer that is being collected is worked at, and one that somebody has to see to is not", () => {
  const lost = aRequest({ status: "recovery_required" });
  expect(taskOf({ ...lost, recovering: true })).toMatchObject({ status: "working" });
  expect(taskOf(lost)).toMatchObject({ status: "completed", result: { isError: true } });
});

test("a task that is made holds the whole receipt, and its own state beside it", () => {
  const request = aRequest({ status: "streaming" });
  const receipt = delivered(request);
  expect(taskCreated(receipt, request)).toEqual({
    ...toResult(receipt),
    ...taskOf(request),
    resultType: "task",
  });
});
