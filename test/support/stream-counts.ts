// What streams tell the metrics, kept for a test.
import type { StreamMetrics } from '../../api/streams/run.ts';

export interface StreamCounts {
  readonly metrics: StreamMetrics;
  readonly completed: Parameters<StreamMetrics['completed']>[0][];
  /** Codes. */
  readonly failed: string[];
}

export function streamCounts(): StreamCounts {
  const completed: StreamCounts['completed'] = [];
  const failed: string[] = [];
  const metrics: StreamMetrics = {
    completed: (recording) => void completed.push(recording),
    failed: ({ code }) => void failed.push(code),
  };
  return { metrics, completed, failed };
}
