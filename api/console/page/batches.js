// All batches, newest first, in pages.
import { attempt, byId } from './dom.js';
import { showBatches } from './batch-list.js';
import { whenSignedIn } from './session.js';

const pageSize = 20;

whenSignedIn(async (service) => {
  let listed = [];
  let reading = null;
  const showMore = async () => {
    const own = (reading = service.batches(pageSize, listed.at(-1)?.id));
    const { data, has_more: hasMore } = await own;
    // Asked for twice, a page is shown once.
    if (reading !== own) return;
    listed = [...listed, ...data];
    showBatches(byId('batches'), listed);
    byId('more').hidden = !hasMore;
  };
  byId('more').addEventListener('click', () => void attempt(showMore));
  await showMore();
});
