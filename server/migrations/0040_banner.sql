-- The text that an administrator shows to everyone who is signed in. Not personal.

-- At most one row. The hourly job deletes it after the end.
create table banners (
  "only" boolean primary key default true check ("only"),
  text text not null check (char_length(text) between 1 and 200),
  ends_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

alter table admin_actions drop constraint admin_actions_action_check;
alter table admin_actions add constraint admin_actions_action_check check (action in (
  'claim', 'appoint', 'dismiss_admin', 'dismiss_report', 'delete_reported', 'suspend', 'lift', 'set_registration',
  'create_invitation', 'revoke_invitation', 'create_reset_link', 'banner_set', 'banner_removed'));
