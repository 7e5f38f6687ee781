// All batches, newest first, in pages.
import { attempt, byId } from './dom.js';
import { createBatchList, readFirst } from './batch-list.js';
import { whenSignedIn } from './session.js';

const pageSize = 20;

whenSignedIn(async (service) => {
  // Whoever comes back from a batch goes on where the list was left.
  const left = history.state;
  let wanted = left?.wanted ?? pageSize;
  const show = createBatchList(byId('batches'), async () => {
    const { entries, hasMore } = await readFirst(wanted, (limit, last) =>
      service.batches(limit, last?.id),
    );
    byId('more').hidden = !hasMore;
    return entries;
  });
  byId('more').addEventListener('click', () => {
    wanted += pageSize;
    void attempt(show);
  });
  await show();
  if (left?.top) scrollTo(0, left.top);
  const keepPlace = () => history.replaceState({ wanted, top: scrollY }, '');
  byId('batches').addEventListener('click', keepPlace);
});
