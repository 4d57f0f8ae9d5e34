import pytest


def test_greets_again(world):
    ada, ben = world.person("Ada"), world.person("Ben", locale="de")
    assert ada.command("hello")["text"] == f"Hello {ada.mention}!"
    assert ben.click("Again")["text"] == f"Hello again, {ben.mention}!"
    with pytest.raises(RuntimeError, match="Again"):  # which is what there is
        ben.click("Accept")
