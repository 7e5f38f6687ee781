// All batches, newest first, in pages.
import { attempt, byId } from './dom.js';
import { showBatches } from './batch-list.js';
import { whenSignedIn } from './session.js';

const pageSize = 20;

whenSignedIn(async (service) => {
  let listed = [];
  const showMore = async () => {
    const { data, has_more: hasMore } = await service.batches(pageSize, listed.at(-1)?.id);
    listed = [...listed, ...data];
    showBatches(byId('batches'), listed);
    byId('more').hidden = !hasMore;
  };
  byId('more').addEventListener('click', () => void attempt(showMore));
  await showMore();
});
