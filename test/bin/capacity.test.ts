// The estimate of a load: its figures follow from those that were measured.
import test from 'ava';
import { estimate, type Load } from '../../bin/capacity/estimate.ts';

const load: Load = {
  task: 'analysis',
  recordingsPerHour: 3_600,
  seconds: 300,
  uploadBytesPerSecond: 4_000,
  utilization: 1,
};

test('an hour of diarized analysis takes the cores of the benchmark, twice at half use', (t) => {
  const hour = { ...load, recordingsPerHour: 1, seconds: 3_600 };
  // 132.7 core-seconds, in an hour of which one core has 3,600.
  t.is(estimate({ ...hour, recordingsPerHour: 100 }).cores, Math.ceil((100 * 132.7) / 3_600));
  t.is(estimate(load).cores, 12);
  t.is(estimate({ ...load, utilization: 0.5 }).cores, 23);
});

test('what the servers take grows with the recordings, not with how busy cores may be', (t) => {
  const { cores: _, memoryMiB: __, databaseConnections: ___, ...servers } = estimate(load);
  t.like(estimate({ ...load, utilization: 0.3 }), servers);
  t.is(servers.recordingsPerSecond, 1);
  t.is(servers.ledgerRowsPerHour, 3 * 3_600);
  const twice = estimate({ ...load, recordingsPerHour: 7_200 });
  t.is(twice.storageMegabytesPerSecond, 2 * servers.storageMegabytesPerSecond);
});

test('connections are those of workers of eight cores, and of an API that listens', (t) => {
  t.is(estimate(load).databaseConnections, 2 * 10 + 21);
});

test('clips have a price however short, and their samples are not stored', (t) => {
  const clips = { ...load, task: 'emotion', seconds: 2, recordingsPerHour: 36_000 } as const;
  t.is(estimate(clips).cores, 1);
  const many = { ...clips, recordingsPerHour: 3_600_000 };
  t.true(estimate({ ...many, seconds: 0.1 }).cores > 0.75 * estimate({ ...many }).cores);
  t.true(estimate(clips).storageMegabytesPerSecond < 1);
  t.is(estimate(clips).temporalEventsPerSecond, 70);
});
