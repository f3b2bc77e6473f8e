-- A list of friends is read from these two indexes alone, without the table, in which the friendships of a user are scattered over
-- as many pages as there are friends.

drop index friendships_requester_idx;
drop index friendships_requested_idx;
create index friendships_requester_idx on friendships (requester_id, requested_id) include (id, created_at);
create index friendships_requested_idx on friendships (requested_id, requester_id) include (id, created_at);
